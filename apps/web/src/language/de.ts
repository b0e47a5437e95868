/** The page's texts in German. */
import type { Translation } from "./catalogue.js"

const delegationFailed = [
  "Die Delegation der Wallet konnte nicht eingerichtet werden.",
  "Es wurde nichts bezahlt. Versuchen Sie es noch einmal."
] as const

export const de: Translation = {
  page: {
    title: "GeoSwap: zwischen Chains tauschen",
    devnet: "Devnet: nur Test-Token",
    offline: "Sie sind offline. Die Seite macht weiter, sobald Sie wieder online sind.",
    lead: "Zwischen Chains tauschen, ohne Gas.",
    reasons: [
      ["Kein Gas nötig.", "Die Netzwerkkosten werden von dem Betrag abgezogen, den Sie zahlen."],
      [
        "Geprüft, bevor Sie signieren.",
        "Ihr Browser vergleicht jedes Byte mit den Bedingungen, die Sie bestätigt haben."
      ],
      [
        "Geliefert oder erstattet.",
        "Wenn die Lieferung scheitert, wird Ihre Zahlung erstattet. Die Netzwerkkosten werden nur einbehalten, wenn es am Empfänger liegt."
      ]
    ],
    foot: "Ihr Browser prüft jeden Tausch, bevor Sie signieren. Schlüssel verlassen Ihre Wallet nie.",
    footDevnet:
      "Ihr Browser prüft jeden Tausch, bevor Sie signieren. Die Schlüssel der Test-Wallets sind öffentlich; die Ihrer eigenen Wallet verlassen sie nie.",
    theme: { system: "Farbschema: System", light: "Farbschema: hell", dark: "Farbschema: dunkel" },
    language: "Sprache",
    close: "Schließen",
    details: "Details",
    copy: "{what} kopieren",
    copied: "Kopiert",
    openInExplorer: "{what} im Explorer öffnen",
    exactAmount: "genauer Betrag",
    showExact: "gekürzt. Genauen Betrag anzeigen",
    shorten: "Kürzen"
  },
  broken: {
    title: "Die Seite konnte nicht geladen werden",
    text: "Etwas ist schiefgegangen.",
    swaps: "Tauschvorgänge, die Sie abgesendet haben, laufen ohne diese Seite weiter.",
    reload: "Neu laden",
    noConfig:
      "Der Server hat keine Konfiguration für diese Seite geliefert (HTTP {status}). Wenden Sie sich an den Betreiber.",
    invalidConfig:
      "Der Server hat eine ungültige Konfiguration für diese Seite geliefert. Wenden Sie sich an den Betreiber."
  },
  wallets: {
    title: "Wallets",
    testWallets:
      "Test-Wallets enthalten Test-Token ohne Wert. Sie signieren in dieser Seite, und ihre Schlüssel sind öffentlich.",
    noneFound: "In diesem Browser wurden keine Wallets gefunden.",
    notConnected: "Nicht verbunden.",
    install: "Installieren Sie eine, und laden Sie die Seite neu:",
    installOwn: "Sie können auch eine eigene Wallet verwenden. Installieren Sie eine, und laden Sie die Seite neu:",
    connect: "Verbinden:",
    disconnect: "Trennen",
    confirm: "Bestätigen Sie die Verbindung in Ihrer Wallet.",
    connected: "{name} ist verbunden. Schließen Sie den Dialog, um fortzufahren.",
    cancelled: "Die Verbindung mit {name} wurde abgebrochen.",
    failed: "{name} konnte nicht verbunden werden. Entsperren Sie die Wallet, und versuchen Sie es noch einmal.",
    noAccount: "{name} hat dieser Seite kein Konto freigegeben.",
    browserWallet: "Browser-Wallet",
    solanaWallet: "Solana-Wallet",
    address: "Adresse"
  },
  delegations: {
    title: "Delegationen",
    text: "Mit einer Delegation darf ein Vertrag auf einer Chain für Ihre Wallet handeln, aber nur mit Ihren Signaturen. Sie bleibt, bis Sie sie entfernen oder ersetzen.",
    inWallet: "{wallet} lässt Websites keine Delegationen ändern. Entfernen Sie sie in den Einstellungen der Wallet.",
    reading: "Wird gelesen",
    none: "Nicht delegiert",
    here: "An diesen Dienst delegiert",
    elsewhere: "An einen anderen Anbieter delegiert",
    contract: "Vertrag",
    remove: "Entfernen",
    removing: "Wird entfernt",
    removeOn: "Delegation auf {chain} entfernen"
  },
  form: {
    title: "Tauschen",
    from: "Von",
    to: "Nach",
    amount: "Betrag",
    amountInDollars: "Betrag in Dollar",
    dollars: "Zwischen Token und Dollar wechseln",
    receive: "Sie erhalten",
    balance: "Guthaben {amount}",
    max: "Max.",
    shares: "Anteile Ihres Guthabens",
    noWallet: "Keine Wallet",
    flip: "Richtung umkehren",
    review: "Tausch prüfen",
    button: {
      loading: "Wird geladen",
      connectAny: "Wallet verbinden",
      connect: {
        evm: "EVM-Wallet verbinden",
        solana: "Solana-Wallet verbinden"
      },
      amount: "Betrag eingeben",
      checkAmount: "Betrag prüfen",
      checkTokens: "Token prüfen",
      checkSlippage: "Slippage prüfen",
      insufficient: "Nicht genug {symbol}",
      recipient: "Empfänger prüfen",
      cannotPay: "Diese Wallet kann nicht zahlen"
    },
    otherRecipient: "An eine andere Adresse senden",
    recipient: "Empfänger",
    ownWallet: "Meine Wallet verwenden",
    saved: "Gespeicherte Adressen",
    saveAddress: "Diese Adresse speichern",
    addressName: "Name dieser Adresse",
    save: "Speichern",
    removeName: "{name} entfernen",
    solanaAddress: "Solana-Adresse",
    settings: "Einstellungen",
    unknownLink:
      "Dieser Link nennt einen Token, den diese Seite nicht führt. Wählen Sie die Token, und geben Sie einen Betrag ein.",
    onlyReceived:
      "{native} kann nur empfangen werden, nicht gezahlt. Sie zahlen jetzt mit {token}: Geben Sie einen Betrag ein.",
    hints: {
      loading: "Chains werden geladen.",
      connect: {
        evm: "Der Preis ist eine Schätzung, bis eine EVM-Wallet verbunden ist.",
        solana: "Der Preis ist eine Schätzung, bis eine Solana-Wallet verbunden ist."
      },
      delegation: "Es wird geprüft, ob Ihre Wallet eine Delegation braucht.",
      payment: "Es wird geprüft, wie Ihre Wallet zahlen kann.",
      price: "Der Preis wird abgefragt."
    },
    checkDelegation: "Delegation noch einmal prüfen",
    errors: {
      chain: "Diese Chain ist nicht verfügbar.",
      token: "Dieser Token ist auf {chain} nicht verfügbar.",
      samePair: "Wählen Sie einen anderen Token oder eine andere Chain.",
      connect: {
        evm: "Verbinden Sie eine EVM-Wallet, um auf {chain} zu zahlen.",
        solana: "Verbinden Sie eine Solana-Wallet, um auf {chain} zu zahlen."
      },
      balance: "Ihr Guthaben ist {balance}.",
      recipientMissing: {
        evm: "Verbinden Sie eine EVM-Wallet, oder geben Sie einen Empfänger ein.",
        solana: "Verbinden Sie eine Solana-Wallet, oder geben Sie einen Empfänger ein."
      },
      checksum: "Die Prüfsumme dieser Adresse ist falsch, sie enthält also einen Tippfehler. Kopieren Sie sie neu.",
      recipientInvalid: {
        evm: "Das ist keine Adresse auf {chain}. Geben Sie 0x und 40 hexadezimale Ziffern ein.",
        solana: "Das ist keine Adresse auf {chain}. Geben Sie 32 bis 44 Buchstaben und Ziffern ein."
      },
      recipientLength:
        "Diese Adresse hat nach 0x {digits} Ziffern, sie braucht aber 40. Kopieren Sie die ganze Adresse.",
      recipientFamily: {
        evm: "Das ist eine EVM-Adresse. Sie kann auf {chain} keine Token empfangen.",
        solana: "Das ist eine Solana-Adresse. Sie kann auf {chain} keine Token empfangen."
      },
      recipientName: "Diese Seite kann keine Namen nachschlagen. Geben Sie die Adresse ein.",
      zeroAddress: "Das ist die Nulladresse. Geben Sie eine andere ein.",
      spaces: "Geben Sie {number} ohne Leerzeichen ein.",
      separator: "Meinen Sie {number}?",
      ambiguous: "Meinen Sie {whole} oder {fraction}?",
      number: "Geben Sie eine Zahl wie {example} ein.",
      separators: "Geben Sie eine Zahl wie {example} ein, ohne Trennzeichen zwischen den Ziffern.",
      positive: "Geben Sie einen Betrag über 0 ein.",
      noDecimals: "{symbol} hat keine Nachkommastellen. Geben Sie eine ganze Zahl ein.",
      decimals: "{symbol} hat {most} Nachkommastellen, dieser Betrag hat {entered}.",
      tooLarge: "Dieser Betrag ist zu groß.",
      maxSlippage: "Die höchste Slippage ist {percent}."
    }
  },
  names: {
    placeholder: "{address} oder name.eth",
    lookingUp: "{name} wird nachgeschlagen.",
    found: "{name} hat auf {chain} diese Adresse:",
    ethereum:
      "Der Name hat keine Adresse für {chain}. Dies ist seine Adresse auf Ethereum. Wenn sie zu einem Vertrag gehört, hat der Besitzer auf {chain} vielleicht keinen Zugriff darauf.",
    use: "Diese Adresse verwenden",
    used: "Die Adresse von {name}.",
    invalid: "{name} ist kein gültiger Name.",
    notFound: "{name} hat auf {chain} keine Adresse.",
    failed: "{name} konnte nicht nachgeschlagen werden.",
    again: "Erneut versuchen"
  },
  picker: {
    title: { from: "Zahlen mit", to: "Erhalten" },
    button: {
      from: "Zahlen mit {token}",
      to: "{token} erhalten"
    },
    select: "Token wählen",
    search: "Token suchen",
    placeholder: "Name, Symbol oder Adresse",
    chains: "Chains",
    allChains: "Alle Chains",
    recent: "Zuletzt",
    tokens: "Token",
    on: "{token} auf {chain}",
    onChain: "auf {chain}",
    found: { one: "1 Token", other: "{count} Token" },
    none: "Kein Token passt."
  },
  slippage: {
    title: "Slippage",
    text: "So weit darf der Preis bis zur Lieferung fallen. Fällt er weiter, wird Ihre Zahlung erstattet.",
    auto: "Auto",
    autoPercent: "Auto ({percent})",
    custom: "Eigene",
    label: "Slippage in Prozent",
    number: "Geben Sie einen Prozentsatz wie {example} ein.",
    step: "Der kleinste Schritt ist {step}.",
    range: "Geben Sie höchstens {most} ein.",
    high: "Diese Slippage ist hoch. Bevor Sie signieren, bestätigen Sie den Betrag, der auf dem Spiel steht."
  },
  price: {
    validFor: "Preis gilt noch {seconds} s",
    refreshing: "Preis wird erneuert",
    getting: "Preis wird abgefragt",
    expired: "Preis abgelaufen",
    none: "Noch kein Preis",
    estimate: "Schätzung, kein fester Preis",
    cost: "Kosten",
    rate: "Kurs",
    invert: "Kurs umkehren",
    fee: "Gebühr",
    tier: "Rabatt „{tier}“",
    tierText: "Mit ihrem Guthaben erhält Ihre Wallet {percent} Rabatt auf die Gebühr.",
    was: "bisher",
    now: "jetzt",
    network: "Netzwerkkosten",
    impact: "Preiseinfluss",
    total: "Gesamtkosten",
    high: "hoch",
    unknown: "unbekannt",
    minimum: "Mindestens",
    time: "Erwartete Dauer"
  },
  blocker: {
    title: "{wallet} kann auf {chain} nicht mit {token} zahlen.",
    otherProvider: "Sie ist an einen anderen Anbieter delegiert. ",
    thisProvider: "Sie ist an einen anderen Anbieter delegiert ({provider}). ",
    service: "Der Dienst meldet: {message}",
    noWay:
      "Browser-Wallets signieren für Websites keine Delegationen (EIP-7702), und {token} bietet dieser Wallet keinen anderen Weg. ",
    advice: "Zahlen Sie mit einem anderen Token, einer anderen Wallet oder von einer anderen Chain.",
    adviceOnDevnet:
      "Zahlen Sie mit einem anderen Token, einer Test-Wallet, einer anderen Wallet oder von einer anderen Chain."
  },
  review: {
    title: "Prüfen Sie Ihren Tausch",
    missing: "Einige Angaben zu diesem Tausch fehlen jetzt. Gehen Sie zurück, und prüfen Sie sie.",
    yourWallet: "Ihre Wallet",
    from: "von {wallet} auf {chain}",
    to: "an {wallet} auf {chain}",
    otherAddress: "eine andere Adresse",
    payingAddress: "Adresse des Zahlers",
    receivingAddress: "Adresse des Empfängers",
    units: "Einheiten",
    of: "von",
    atLeast: "mindestens",
    whatYouSign: "Was Sie signieren",
    signOnce: "Sie signieren einmal",
    signTwice: "Sie signieren zweimal",
    signTwiceAtOnce: "Sie signieren zweimal, mit einem Klick",
    expiry: {
      transaction: "Die Transaktion läuft spätestens 3 Minuten nach Ihrer Signatur ab.",
      operation: "Die Zahlung läuft spätestens 3 Minuten nach Ihrer Signatur ab.",
      payment: "Was Sie signieren, läuft spätestens 3 Minuten nach Ihrer Signatur ab."
    },
    delegationStays: "Die Delegation bleibt, bis Sie sie entfernen oder ersetzen.",
    refund:
      "Wenn die Lieferung scheitert, erhalten Sie {amount} zurück. Die Netzwerkkosten werden nur abgezogen, wenn die Adresse des Empfängers den Token nicht annehmen kann.",
    back: "Zurück",
    confirm: "Bestätigen und signieren",
    refreshing: "Der Preis wird erneuert.",
    unchanged: "Preis erneuert: unverändert.",
    better: "Preis erneuert: {percent} besser als vorher.",
    worse: "Preis erneuert: {percent} schlechter als vorher.",
    walletChanged:
      "Die Wallet hat sich geändert, deshalb wurde die Prüfung geschlossen. Prüfen Sie den Tausch noch einmal.",
    swapChanged: "Der Tausch hat sich geändert, deshalb wurde die Prüfung geschlossen. Prüfen Sie ihn noch einmal.",
    priceChanged: "Preis geändert",
    priceIsWorse: "Der Preis ist jetzt schlechter",
    priceIsOther: "Der Preis hat sich geändert",
    atLeastNow: "Mindestens",
    nothingSigned: "Zu diesem Preis wird nichts signiert, wenn Sie ihn nicht annehmen.",
    acceptPrice: "Neuen Preis annehmen",
    requoteWorse: "Der Preis ist abgelaufen, bevor Sie signiert haben, und der neue Preis ist schlechter.",
    requoteCosts:
      "Der Preis ist abgelaufen, bevor Sie signiert haben, und der neue Preis kostet mehr, als Sie angenommen haben."
  },
  consent: {
    cost: "Ich akzeptiere Gesamtkosten von bis zu {percent} des Werts",
    unknownCost: "Ich akzeptiere unbekannte Gesamtkosten",
    now: "Derzeit {dollars}.",
    mostlyNetwork: "Das meiste sind Netzwerkkosten, die nicht vom Betrag abhängen.",
    mostlyFee: "Das meiste ist die Gebühr.",
    mostlyImpact: "Das meiste ist Preiseinfluss: Der Betrag ist groß für diesen Markt.",
    slippage: "Ich akzeptiere, nur {amount} zu erhalten",
    atRisk: "Ihre Slippage setzt {amount} aufs Spiel: {percent} des angebotenen Betrags."
  },
  signatures: {
    delegation: "Eine Delegation",
    notNamed: "(vom Dienst nicht genannt)",
    delegationText:
      "Das signieren Sie nur einmal. Der Vertrag {address} ({expected}) darf danach auf {chain} für {wallet} handeln, aber nur mit Ihren Signaturen. So kann eine Wallet ohne Gas zahlen.",
    expected: "der, den diese Seite erwartet",
    notExpected: "NICHT der, den diese Seite erwartet: er wird abgelehnt",
    commitment: "Sie zahlt genau {amount} auf {origin} für mindestens {minimum} auf {destination} an {recipient}.",
    operation: "Die Zahlung",
    nothingElse: "Sie erlaubt sonst nichts.",
    showsTerms:
      "{wallet} zeigt diese Bedingungen, mit Beträgen in den kleinsten Einheiten der Token. Vergleichen Sie sie, bevor Sie signieren.",
    onlyVault:
      "Sie erlaubt nur dem Vertrag {vault} (dem, den diese Seite erwartet), diesen Betrag einzuziehen, und zwar einmal.",
    showsAmount:
      "{wallet} zeigt den Betrag und diesen Vertrag. Den Empfänger und was Sie erhalten kann sie nicht zeigen, weil beides nur als Hash in der Nonce steht. Lesen Sie es deshalb hier.",
    permit: "Eine Freigabe (ERC-2612)",
    permitText:
      "Permit2, der Vertrag {contract}, darf danach genau {amount} übertragen. Ohne die zweite Signatur zahlt sie nichts, und die Zahlung verbraucht sie.",
    showsPermit: "{wallet} zeigt Permit2 als Berechtigten und den Betrag in der kleinsten Einheit des Tokens.",
    transaction: "Eine Transaktion",
    serviceFee: "Der Dienst zahlt die Netzwerkgebühr. Die Transaktion enthält sonst nichts.",
    switching:
      "Wenn {wallet} in einem anderen Netzwerk ist, bittet sie zuerst um den Wechsel zu {chain}. Der Wechsel signiert nichts und kostet nichts."
  },
  progress: {
    title: "Verlauf des Tauschs",
    route: "{input} auf {origin} → {output} auf {destination}",
    steps: {
      quote: "Preis vereinbart",
      delegation: "Delegiert",
      sign: "Signiert",
      submit: "Abgesendet",
      payment: "Auf {chain} bezahlt",
      delivery: "Auf {chain} geliefert",
      refund: "{amount} auf {chain} erstattet"
    },
    failed: {
      quote: "Kein Preis vereinbart",
      delegation: "Nicht delegiert",
      sign: "Nicht signiert",
      submit: "Nicht abgesendet",
      payment: "Zahlung auf {chain} fehlgeschlagen",
      delivery: "Lieferung auf {chain} fehlgeschlagen"
    },
    running: {
      quote: "Preis wird vereinbart",
      delegation: "Wird delegiert",
      sign: "Wird signiert",
      submit: "Wird abgesendet",
      payment: "Wird auf {chain} bezahlt",
      delivery: "Wird auf {chain} geliefert",
      refund: "{amount} werden auf {chain} erstattet"
    },
    ahead: {
      quote: "Preis",
      delegation: "Delegation",
      sign: "Signatur",
      submit: "Absenden",
      payment: "Zahlung auf {chain}",
      delivery: "Lieferung auf {chain}",
      refund: "Erstattung von {amount} auf {chain}"
    },
    states: { waiting: "noch nicht begonnen", running: "läuft", done: "erledigt", failed: "fehlgeschlagen" },
    signedAs: {
      delegation: "Eine Zahlung Ihrer delegierten Wallet",
      eip3009: "Eine Zahlungsermächtigung (EIP-3009)",
      permit2: "Eine Zahlung über Permit2",
      erc2612: "Eine Freigabe und eine Zahlung über Permit2"
    },
    confirmIn: "Bestätigen Sie in {wallet}",
    confirmTwice: "Bestätigen Sie zweimal in {wallet}: die Freigabe, dann die Zahlung",
    maySwitch: "Vielleicht bittet sie zuerst um den Wechsel zu {chain}.",
    verifying: "Der Tausch wird vor der Signatur geprüft",
    notes: {
      submit: "Wird an den Dienst gesendet",
      payment: "Die Zahlung wird bestätigt",
      delivery: "Zahlung eingegangen, wird geliefert",
      refund: "Ihre Zahlung wird erstattet"
    },
    reconnecting: "Der Dienst ist nicht erreichbar. Die Verbindung wird wiederhergestellt",
    continues: "Der Tausch läuft ohne diese Seite weiter",
    hash: {
      payment: "Hash der Zahlung",
      delivery: "Hash der Lieferung",
      refund: "Hash der Erstattung"
    },
    canClose:
      "Sie können diese Seite schließen oder einen weiteren Tausch beginnen. Dieser Tausch läuft weiter und steht am Ende unter Aktivität.",
    notify: "Am Ende benachrichtigen",
    cancel: "Abbrechen",
    newSwap: "Neuer Tausch",
    anotherSwap: "Weiteren Tausch beginnen",
    tryAgain: "Noch einmal",
    changeRecipient: "Empfänger ändern",
    slow: "Langsamer als sonst. Ihre Zahlung ist sicher: Sie wird geliefert oder erstattet.",
    cancelled: "Abgebrochen.",
    mayContinue:
      "Der Tausch war schon signiert und gesendet und läuft deshalb vielleicht weiter. Setzen Sie ihn fort, um das Ergebnis zu sehen.",
    resume: "Diesen Tausch fortsetzen",
    delivered: "{amount} geliefert",
    deliveredTo: "Geliefert an {recipient} auf {chain}.",
    newBalance: "Das Guthaben dort ist jetzt {amount}.",
    refunded: "Lieferung fehlgeschlagen: {amount} erstattet",
    costDeducted: "Die Netzwerkkosten wurden abgezogen, weil der Empfänger den Token nicht annehmen konnte.",
    belowMinimum: "Das ist weniger als das vereinbarte Minimum. Wenden Sie sich an den Betreiber des Dienstes.",
    nothingPaid: "Tausch fehlgeschlagen: Es wurde nichts bezahlt",
    claimed: "{outcome}, nach Angabe des Dienstes",
    unproved:
      "Diese Seite kann das nicht beweisen. Was Sie signiert haben, kann deshalb noch ausgeführt werden. Prüfen Sie, wie der Tausch geendet hat, zum Beispiel in einem Block-Explorer, bevor Sie diese Token noch einmal tauschen. Vergessen Sie danach diesen Tausch.",
    unitsOf: "{amount} Einheiten von {token}",
    chain: "Chain {id}",
    hiddenOutput: "mindestens {minimum} auf {chain} an {recipient}",
    cannotShow:
      "{wallet} kann nicht zeigen, was Sie erhalten. Diese Seite hat geprüft, dass die Signatur Folgendes festlegt: {receives}.",
    showsHash:
      "{wallet} zeigt nur einen Hash. Diese Seite hat geprüft, dass er für eine Zahlung von genau {amount} steht, für {receives}."
  },
  unfinished: {
    title: "Laufende Tauschvorgänge",
    inProgress: "Tausch läuft: {route}",
    unproved: "Tausch ohne sicheres Ende: {route}",
    ends: {
      settled: "Geliefert",
      refunded: "Erstattet",
      failed: "Fehlgeschlagen",
      pending: "Angehalten"
    },
    started: "begonnen {ago}",
    dismiss: "Ausblenden",
    forget: "Diesen Tausch vergessen",
    forgetTitle: "Diesen Tausch vergessen?",
    forgetText:
      "Das hält den Tausch nicht an. Wenn er angenommen wurde, wird er trotzdem geliefert oder erstattet. Diese Seite verfolgt ihn nur nicht mehr, und hält Sie nicht mehr davon ab, doppelt zu bezahlen.",
    forgetAccepted:
      "Das hält den Tausch nicht an. Er wird trotzdem geliefert oder erstattet. Diese Seite verfolgt ihn nur nicht mehr, und hält Sie nicht mehr davon ab, doppelt zu bezahlen.",
    notRemoved: "Der Tausch konnte nicht entfernt werden.",
    allowStorage: "Erlauben Sie dieser Seite, Daten zu speichern, und versuchen Sie es noch einmal.",
    keep: "Behalten",
    forgetIt: "Vergessen",
    unread: "Ein laufender Tausch, der in diesem Browser gespeichert ist, konnte nicht gelesen werden.",
    unreadText: "Der Tausch selbst läuft weiter."
  },
  activity: {
    title: "Aktivität",
    claims: "So haben die Tauschvorgänge nach Angabe des Dienstes geendet.",
    empty: "Hier erscheinen Ihre abgeschlossenen Tauschvorgänge. Sie werden nur in diesem Browser gespeichert.",
    filter: "Nach Ergebnis filtern",
    all: "Alle",
    otherWallets: "{count} anderer Wallets anzeigen",
    took: "Dauer: {duration}.",
    refunded: "Erstattung auf {chain}",
    showAll: "Gesamte Aktivität ({count})",
    amountPaid: "Bezahlter Betrag",
    amountDelivered: "Gelieferter Betrag",
    amountRefunded: "Erstatteter Betrag",
    wallet: "Bezahlt von",
    walletAddress: "zahlende Adresse",
    swap: "Tausch",
    swapId: "Kennung des Tauschs",
    chain: "Nach Chain filtern",
    noMatch: "Kein Tausch passt dazu.",
    transactionHash: "Hash der Transaktion",
    recipientAddress: "Empfänger",
    export: "Exportieren",
    exportCsv: "Als CSV exportieren",
    clear: "Leeren",
    clearTitle: "Aktivität leeren?",
    clearText:
      "Das entfernt {swaps} aus diesem Browser. Die Seite bewahrt nur diese Liste auf. Exportieren Sie sie vorher, wenn Sie sie brauchen. An den Tauschvorgängen selbst ändert sich nichts.",
    keep: "Behalten",
    removed: "{swaps} entfernt.",
    undo: "Rückgängig",
    count: { one: "1 Tauschvorgang", other: "{count} Tauschvorgänge" }
  },
  status: {
    offline: "Sie sind offline",
    up: "Dienst und Chains verfügbar",
    unknown: "Verbindung zum Dienst wird aufgebaut",
    down: "Dienst nicht erreichbar, Verbindung wird wiederhergestellt",
    partly: "Nicht verfügbar: {chains}",
    docs: "API-Dokumentation",
    source: "So funktioniert es"
  },
  time: {
    seconds: "{seconds} s",
    minutes: "{minutes} min {seconds} s",
    hours: "{hours} h {minutes} min",
    wholeMinutes: "{minutes} min",
    about: "etwa {duration}",
    of: "{elapsed}, erwartet {expected}",
    justNow: "gerade eben",
    minutesAgo: "vor {minutes} min",
    hoursAgo: "vor {hours} h",
    daysAgo: "vor {days} Tagen"
  },
  signed: {
    nothing: "Es wurde nichts signiert.",
    nothingSent: "Es wurde nichts gesendet.",
    nothingSentOrPaid: "Es wurde nichts gesendet oder bezahlt.",
    nothingPaid: "Es wurde nichts bezahlt.",
    permitDiscarded:
      "Es wurde keine Zahlung signiert. Falls Sie die Freigabe signiert haben, hat diese Seite sie verworfen.",
    maybeDelegation: "Vielleicht wurde die Delegation signiert. Es wurde nichts bezahlt.",
    onlyDelegation: "Nur die Delegation wurde signiert. Es wurde nichts bezahlt."
  },
  failures: {
    INVALID_AUTHORIZATION:
      "Die Delegation der Wallet hat sich während des Tauschs geändert. Tauschen Sie noch einmal, um eine neue Delegation zu signieren.",
    OPERATION_EXPIRED: "Die Operation ist abgelaufen, bevor die Chain sie aufgenommen hat.",
    INSUFFICIENT_BALANCE: "Die Wallet hatte nicht mehr genug Token.",
    VAULT_PAUSED: "Der Dienst hat seinen Vertrag angehalten.",
    REVERTED:
      "Die Transaktion wurde rückgängig gemacht. Vielleicht ist der Token angehalten, oder der Empfänger kann ihn nicht annehmen.",
    SLIPPAGE: "Der Preis ist unter Ihr Minimum gefallen, bevor die Zahlung eingegangen ist.",
    PRICE_UNAVAILABLE: "Es gab zu lange keine Preise.",
    NO_ROUTE: "Für dieses Paar gibt es keinen Weg mehr.",
    INSUFFICIENT_INVENTORY: "Der Dienst hatte nicht mehr genug von dem Token.",
    CAP_EXCEEDED: "Der Dienst hat sein stündliches Limit für diesen Token erreicht.",
    DELIVERY_TOO_LATE: "Das Angebot war zu alt, um den Tausch noch zu liefern.",
    DESTINATION_UNAVAILABLE: "Die Ziel-Chain war zu lange nicht erreichbar.",
    REFUNDED_BY_OWNER: "Der Betreiber des Dienstes hat den Tausch von Hand erstattet."
  },
  unknownFailure: "Der Dienst hat den Fehlercode {code} gemeldet.",
  errors: {
    tags: {
      InsufficientBalance: [
        "Die Wallet hat nicht genug Token.",
        "Verringern Sie den Betrag, oder zahlen Sie mit einer anderen Wallet."
      ],
      AmountTooSmall: ["Dieser Betrag deckt die Netzwerkkosten nicht.", "Versuchen Sie es mit einem größeren Betrag."],
      AmountTooLarge: [
        "Dieser Betrag ist zu groß für einen einzelnen Tausch.",
        "Versuchen Sie es mit einem kleineren Betrag."
      ],
      NoRoute: ["Für dieses Paar gibt es keinen Weg.", "Wählen Sie einen anderen Token oder eine andere Chain."],
      NeedsDelegation: delegationFailed,
      InvalidAuthorization: delegationFailed,
      Unsupported: [
        "Diese Wallet ist an einen anderen Anbieter delegiert und kann auf dieser Chain nicht mit diesem Token zahlen.",
        "Es wurde nichts bezahlt. Zahlen Sie mit einem anderen Token, einer anderen Wallet oder von einer anderen Chain."
      ],
      SwapInProgress: [
        "Ein Tausch dieser Wallet läuft auf dieser Chain noch.",
        "Warten Sie, bis er abgeschlossen ist, und versuchen Sie es noch einmal."
      ],
      QuoteMoved: [
        "Der Preis hat sich geändert.",
        "Zum neuen Preis wurde nichts signiert. Prüfen Sie den neuen Preis."
      ],
      InvalidToken: [
        "Der Dienst hat sein eigenes Angebot abgelehnt.",
        "Es wurde nichts bezahlt. Versuchen Sie es mit einem neuen Preis."
      ],
      Unauthorized: ["Der Dienst nimmt keine Anfragen dieser Seite an.", "Wenden Sie sich an den Betreiber der Seite."],
      ProtocolError: [
        "Der Dienst hat ungültig geantwortet.",
        "Versuchen Sie es später noch einmal, oder wenden Sie sich an den Betreiber."
      ],
      OutcomeUnknown: [
        "Es ist noch nicht bekannt, ob der Tausch angenommen wurde.",
        "Tauschen Sie nicht noch einmal. Setzen Sie stattdessen diesen Tausch fort. Das signiert nichts Neues und zahlt nie doppelt."
      ],
      UnfinishedSwap: [
        "Es ist nicht sicher, wie ein früherer Tausch dieser Wallet geendet hat.",
        "Jetzt wurde nichts signiert, weil Sie sonst doppelt bezahlen könnten. Setzen Sie den früheren Tausch fort, oder vergessen Sie ihn, wenn Sie wissen, wie er geendet hat."
      ],
      WaitTimeout: [
        "Der Tausch dauert länger als üblich.",
        "Er läuft noch. Tauschen Sie nicht noch einmal. Setzen Sie ihn später fort."
      ],
      IdempotencyConflict: [
        "Dieses Formular wurde schon für einen anderen Tausch verwendet.",
        "Es wurde nichts signiert. Gehen Sie zurück, und prüfen Sie den Tausch noch einmal."
      ]
    },
    wallet: "Die Wallet",
    aMoment: "einen Moment",
    cancelled: "Abgebrochen. {signed}",
    startAgain: "Beginnen Sie neu, wann immer Sie möchten.",
    incapable: "{wallet} kann nicht signieren, was dieser Tausch erfordert.",
    incapableText:
      "{signed} Browser-Wallets signieren für Websites keine Delegationen (EIP-7702), und nicht jeder Token bietet einen anderen Weg. Zahlen Sie mit einem anderen Token, einer anderen Wallet oder von einer anderen Chain.",
    noWallet: ["Keine der verbundenen Wallets kann zahlen.", "Verbinden Sie unter „Wallets“ eine andere Wallet."],
    unknownNetwork: "{wallet} kennt dieses Netzwerk nicht.",
    addNetwork: "{signed} Fügen Sie das Netzwerk in der Wallet hinzu, und versuchen Sie es noch einmal.",
    otherNetwork: "{wallet} ist in einem anderen Netzwerk.",
    switchNetwork: "{signed} Wechseln Sie das Netzwerk in der Wallet, und versuchen Sie es noch einmal.",
    couldNotSign: "{wallet} konnte nicht signieren.",
    unlock: "{signed} Entsperren Sie die Wallet, und versuchen Sie es noch einmal.",
    invalidSignature: "{wallet} hat für diesen Tausch eine ungültige Signatur geliefert.",
    turnOff:
      "{signed} Schalten Sie Einstellungen der Wallet ab, die Transaktionen ändern, etwa eine Prioritätsgebühr, oder verwenden Sie eine andere Wallet.",
    atLeast: "Geben Sie mindestens {amount} ein.",
    atMost: "Geben Sie höchstens {amount} ein.",
    hasAndNeeds: "Die Wallet hat {has}, und der Tausch braucht {needs}.",
    rejections: {
      PAYMENT_METHOD_UNAVAILABLE: [
        "Die Wallet kann auf diesem Weg nicht mehr zahlen.",
        "Es wurde nichts bezahlt. Holen Sie einen neuen Preis, und versuchen Sie es noch einmal, oder zahlen Sie mit einem anderen Token."
      ],
      SLIPPAGE: [
        "Der Preis hat sich stärker bewegt, als Ihre Slippage erlaubt.",
        "Versuchen Sie es noch einmal, oder erlauben Sie mehr Slippage."
      ]
    },
    refused: [
      "Der Dienst hat diesen Tausch abgelehnt.",
      "Es wurde nichts bezahlt. Ändern Sie den Tausch, und versuchen Sie es noch einmal."
    ],
    otherTab: ["Dieser Tausch wurde in einem anderen Tab abgeschlossen.", "Das Ergebnis steht dort."],
    invalidSwap: [
      "Dieser Tausch ist ungültig.",
      "Es wurde nichts gesendet. Ändern Sie den Tausch, und versuchen Sie es noch einmal."
    ],
    lossDeclined: "Sie haben die Kosten nicht akzeptiert. {signed}",
    smallerAmount: "Versuchen Sie es mit einem kleineren Betrag oder einem anderen Paar.",
    policy: "Die Regeln dieser Seite erlauben diesen Tausch nicht.",
    changeSwap: "{signed} Ändern Sie den Tausch, und versuchen Sie es noch einmal.",
    unsafe: "Die Operation entspricht nicht dem, was Sie bestätigt haben.",
    unsafeText:
      "{signed} Versuchen Sie es nicht noch einmal: Der Dienst ist vielleicht fehlerhaft oder unehrlich. Schicken Sie dem Betreiber die Details.",
    quoteExpired: "Das Angebot ist abgelaufen.",
    operationExpired: "Die Operation ist abgelaufen.",
    expiredText: "Es wurde nichts bezahlt. Holen Sie einen neuen Preis, und versuchen Sie es noch einmal.",
    quoteDeclined: "Sie haben das Angebot nicht angenommen. {signed}",
    delegationDeclined: "Sie haben die Delegation nicht angenommen. {signed}",
    busy: "Der Dienst ist ausgelastet.",
    busyText: "Warten Sie {wait}, und versuchen Sie es noch einmal.",
    unreachable: "Der Dienst ist nicht erreichbar.",
    retries: "Prüfen Sie Ihre Verbindung. Die Seite versucht es von selbst wieder.",
    tryAgain: "Es wurde nichts bezahlt. Prüfen Sie Ihre Verbindung, und versuchen Sie es noch einmal.",
    reader: "Der Knoten, der Tauschvorgänge prüft, war nicht erreichbar.",
    readerText: "{signed} Prüfen Sie Ihre Verbindung, und versuchen Sie es noch einmal.",
    store: "Dieser Browser lässt die Seite nicht speichern, was Sie signieren.",
    storeText:
      "{signed} Erlauben Sie dieser Seite, Daten zu speichern, oder beenden Sie den privaten Modus, und versuchen Sie es noch einmal.",
    storeUnread: [
      "Die gespeicherten Daten dieses Tauschs konnten nicht gelesen werden.",
      "Das hält den Tausch nicht an. Erlauben Sie dieser Seite, Daten zu speichern, und setzen Sie den Tausch fort."
    ],
    storeUnwritten: [
      "Dieser Browser lässt die Seite den Tausch nicht speichern.",
      "Es wurde nichts gesendet. Erlauben Sie dieser Seite, Daten zu speichern, oder beenden Sie den privaten Modus, und versuchen Sie es noch einmal."
    ],
    page: [
      "Auf dieser Seite ist etwas schiefgegangen.",
      "Laden Sie die Seite neu. Laufende Tauschvorgänge gehen nicht verloren."
    ]
  }
}
