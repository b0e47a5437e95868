/** The page's texts in English. The other languages have the same texts, with the same placeholders. */

const delegationFailed = ["The wallet's delegation could not be set up.", "Nothing was paid. Try again."] as const

export const en = {
  page: {
    title: "GeoSwap: swap between chains",
    devnet: "Devnet: test tokens only",
    offline: "You are offline. This page resumes when you are back online.",
    lead: "Swap across chains without gas.",
    reasons: [
      ["No gas needed.", "Network costs are deducted from the amount you pay."],
      ["Verified before you sign.", "Your browser checks every byte against the terms you confirmed."],
      [
        "Delivered or refunded.",
        "If delivery fails, your payment is refunded. The network cost is kept only if the recipient is at fault."
      ]
    ],
    foot: "Your browser verifies every swap before you sign. Keys never leave your wallet.",
    footDevnet:
      "Your browser verifies every swap before you sign. The keys of test wallets are public; your own wallet's keys never leave it.",
    theme: { system: "Theme: system", light: "Theme: light", dark: "Theme: dark" },
    language: "Language",
    close: "Close",
    details: "Details",
    copy: "Copy {what}",
    copied: "Copied",
    openInExplorer: "Open {what} in the explorer",
    exactAmount: "exact amount",
    showExact: "shortened. Show the exact amount",
    shorten: "Shorten"
  },
  broken: {
    title: "This page could not be loaded",
    text: "Something went wrong.",
    swaps: "Swaps that you have submitted will continue without this page.",
    reload: "Reload",
    noConfig: "The server returned no configuration for this page (HTTP {status}). Contact its operator.",
    invalidConfig: "The server returned an invalid configuration for this page. Contact its operator."
  },
  wallets: {
    title: "Wallets",
    testWallets: "Test wallets hold test tokens without value. They sign in this page, and their keys are public.",
    noneFound: "No wallets found in this browser.",
    notConnected: "Not connected.",
    install: "Install one, then reload this page:",
    installOwn: "You can also use your own wallet. Install one, then reload this page:",
    connect: "Connect",
    disconnect: "Disconnect",
    confirm: "Confirm the connection in your wallet.",
    connected: "{name} is connected. Close this dialog to continue.",
    cancelled: "The connection to {name} was cancelled.",
    failed: "{name} could not be connected. Unlock the wallet and try again.",
    noAccount: "{name} did not share an account with this page.",
    browserWallet: "Browser wallet",
    solanaWallet: "Solana wallet",
    address: "address"
  },
  delegations: {
    title: "Delegations",
    text: "A delegation lets a contract act for your wallet on one chain, but only with your signatures. It stays until you remove or replace it.",
    inWallet: "{wallet} does not let websites change delegations. Remove them in its settings.",
    reading: "Reading",
    none: "Not delegated",
    here: "Delegated to this service",
    elsewhere: "Delegated to another provider",
    contract: "contract",
    remove: "Remove",
    removing: "Removing",
    removeOn: "Remove the delegation on {chain}"
  },
  form: {
    title: "Swap",
    from: "From",
    to: "To",
    amount: "Amount",
    amountInDollars: "Amount in dollars",
    dollars: "Switch between tokens and dollars",
    receive: "You receive",
    balance: "Balance {amount}",
    max: "Max",
    shares: "Shares of your balance",
    noWallet: "No wallet",
    flip: "Swap direction",
    review: "Review swap",
    button: {
      loading: "Loading",
      connectAny: "Connect wallet",
      connect: {
        evm: "Connect EVM wallet",
        solana: "Connect Solana wallet"
      },
      amount: "Enter an amount",
      checkAmount: "Check the amount",
      checkTokens: "Check the tokens",
      checkSlippage: "Check the slippage",
      insufficient: "Insufficient {symbol}",
      recipient: "Check the recipient",
      cannotPay: "This wallet cannot pay"
    },
    otherRecipient: "Send to a different address",
    recipient: "Recipient",
    ownWallet: "Use my wallet",
    saved: "Saved addresses",
    saveAddress: "Save this address",
    addressName: "Name of this address",
    save: "Save",
    removeName: "Remove {name}",
    solanaAddress: "Solana address",
    settings: "Settings",
    unknownLink: "This link names a token that this page does not list. Choose the tokens and enter an amount.",
    onlyReceived: "{native} can only be received, not paid. You now pay with {token}: enter an amount.",
    hints: {
      loading: "Loading chains.",
      connect: {
        evm: "The price is an estimate until an EVM wallet is connected.",
        solana: "The price is an estimate until a Solana wallet is connected."
      },
      delegation: "Checking whether your wallet needs a delegation.",
      payment: "Checking how your wallet can pay.",
      price: "Getting a price."
    },
    checkDelegation: "Check the delegation again",
    errors: {
      chain: "This chain is not available.",
      token: "This token is not available on {chain}.",
      samePair: "Choose a different token or chain.",
      connect: {
        evm: "Connect an EVM wallet to pay on {chain}.",
        solana: "Connect a Solana wallet to pay on {chain}."
      },
      balance: "Your balance is {balance}.",
      recipientMissing: {
        evm: "Connect an EVM wallet or enter a recipient.",
        solana: "Connect a Solana wallet or enter a recipient."
      },
      checksum: "This address has an invalid checksum, so it contains a typo. Copy it again.",
      recipientInvalid: {
        evm: "This is not an address on {chain}. Enter 0x and 40 hexadecimal digits.",
        solana: "This is not an address on {chain}. Enter 32 to 44 letters and digits."
      },
      recipientLength: "This address has {digits} digits after 0x, but it needs 40. Copy the whole address.",
      recipientFamily: {
        evm: "This is an EVM address. It cannot receive tokens on {chain}.",
        solana: "This is a Solana address. It cannot receive tokens on {chain}."
      },
      recipientName: "This page cannot look up names. Enter the address.",
      zeroAddress: "This is the zero address. Enter a different one.",
      spaces: "Enter {number}, without spaces.",
      separator: "Did you mean {number}?",
      ambiguous: "Did you mean {whole} or {fraction}?",
      number: "Enter a number such as {example}.",
      separators: "Enter a number such as {example}, without separators between the digits.",
      positive: "Enter an amount greater than 0.",
      noDecimals: "{symbol} has no decimals. Enter a whole number.",
      decimals: "{symbol} has {most} decimals, but this amount has {entered}.",
      tooLarge: "This amount is too large.",
      maxSlippage: "The maximum slippage is {percent}."
    }
  },
  names: {
    placeholder: "{address} or name.eth",
    lookingUp: "Looking up {name}.",
    found: "{name} has this address on {chain}:",
    ethereum:
      "The name has no address for {chain}. This is its address on Ethereum. If it belongs to a contract, the owner may not control it on {chain}.",
    use: "Use this address",
    used: "The address of {name}.",
    invalid: "{name} is not a valid name.",
    notFound: "{name} has no address on {chain}.",
    failed: "{name} could not be looked up.",
    again: "Try again"
  },
  picker: {
    title: { from: "Pay with", to: "Receive" },
    button: {
      from: "Pay with {token}",
      to: "Receive {token}"
    },
    select: "Select a token",
    search: "Search tokens",
    placeholder: "Name, symbol or address",
    chains: "Chains",
    allChains: "All chains",
    recent: "Recent",
    tokens: "Tokens",
    on: "{token} on {chain}",
    onChain: "on {chain}",
    found: { one: "1 token", other: "{count} tokens" },
    none: "No token matches."
  },
  slippage: {
    title: "Slippage",
    text: "How far the price may fall before delivery. If it falls further, your payment is refunded.",
    auto: "Auto",
    autoPercent: "Auto ({percent})",
    custom: "Custom",
    label: "Slippage in percent",
    number: "Enter a percentage such as {example}.",
    step: "The smallest step is {step}.",
    range: "Enter at most {most}.",
    high: "This slippage is high. Before you sign, you will be asked to confirm the amount at risk."
  },
  price: {
    validFor: "Price valid for {seconds} s",
    refreshing: "Refreshing the price",
    getting: "Getting a price",
    expired: "Price expired",
    none: "No price yet",
    estimate: "Estimate, not a firm price",
    cost: "Cost",
    rate: "Rate",
    invert: "Invert the rate",
    fee: "Fee",
    tier: "{tier} discount",
    tierText: "Your wallet's balance earns it {percent} off the fee.",
    was: "was",
    now: "now",
    network: "Network cost",
    impact: "Price impact",
    total: "Total cost",
    high: "high",
    unknown: "unknown",
    minimum: "Minimum received",
    time: "Expected time"
  },
  blocker: {
    title: "{wallet} cannot pay with {token} on {chain}.",
    otherProvider: "It is delegated to another provider. ",
    thisProvider: "It is delegated to another provider ({provider}). ",
    service: "The service says: {message}",
    noWay:
      "Browser wallets do not sign EIP-7702 delegations for websites, and {token} offers this wallet no other way to pay. ",
    advice: "Pay with another token, another wallet, or from another chain.",
    adviceOnDevnet: "Pay with another token, a test wallet, another wallet, or from another chain."
  },
  review: {
    title: "Review your swap",
    missing: "Some details of this swap are now missing. Go back and check them.",
    yourWallet: "Your wallet",
    from: "from {wallet} on {chain}",
    to: "to {wallet} on {chain}",
    otherAddress: "a different address",
    payingAddress: "paying address",
    receivingAddress: "receiving address",
    units: "units",
    of: "of",
    atLeast: "at least",
    whatYouSign: "What you sign",
    signOnce: "You sign once",
    signTwice: "You sign twice",
    signTwiceAtOnce: "You sign twice, with one click",
    expiry: {
      transaction: "The transaction expires at most 3 minutes after you sign.",
      operation: "The payment expires at most 3 minutes after you sign.",
      payment: "What you sign expires at most 3 minutes after you sign."
    },
    delegationStays: "The delegation stays until you remove or replace it.",
    refund:
      "If delivery fails, you get {amount} back. The network cost is deducted only if the recipient's address cannot receive the token.",
    back: "Back",
    confirm: "Confirm and sign",
    refreshing: "Refreshing the price.",
    unchanged: "Price refreshed: no change.",
    better: "Price refreshed: {percent} better than before.",
    worse: "Price refreshed: {percent} worse than before.",
    walletChanged: "The wallet changed, so the review was closed. Review the swap again.",
    swapChanged: "The swap changed, so the review was closed. Review the swap again.",
    priceChanged: "Price changed",
    priceIsWorse: "The price is now worse",
    priceIsOther: "The price changed",
    atLeastNow: "At least",
    nothingSigned: "Nothing is signed at this price unless you accept it.",
    acceptPrice: "Accept the new price",
    requoteWorse: "The price expired before you signed, and the new price is worse.",
    requoteCosts: "The price expired before you signed, and the new price costs more than you have accepted."
  },
  consent: {
    cost: "I accept a total cost of up to {percent} of the value",
    unknownCost: "I accept a total cost that is unknown",
    now: "Now {dollars}.",
    mostlyNetwork: "Most of it is the network cost, which does not depend on the amount.",
    mostlyFee: "Most of it is the fee.",
    mostlyImpact: "Most of it is price impact: the amount is large for this market.",
    slippage: "I accept receiving only {amount}",
    atRisk: "Your slippage puts {amount} at risk: {percent} of the quoted output."
  },
  signatures: {
    delegation: "A delegation",
    notNamed: "(not named by the service)",
    delegationText:
      "You sign this once. It lets the contract {address} ({expected}) act for {wallet} on {chain}, but only with your signatures. This is how a wallet without gas can pay.",
    expected: "the one that this page expects",
    notExpected: "NOT the one that this page expects: it will be refused",
    commitment: "It pays exactly {amount} on {origin} for at least {minimum} on {destination} to {recipient}.",
    operation: "The payment",
    nothingElse: "It allows nothing else.",
    showsTerms: "{wallet} shows these terms, with amounts in the tokens' smallest units. Compare them before you sign.",
    onlyVault: "It allows only the contract {vault} (the one that this page expects) to collect this amount, once.",
    showsAmount:
      "{wallet} shows the amount and that contract. It cannot show the recipient or what you receive, because they are hashed into the nonce, so read them here.",
    permit: "A permit (ERC-2612)",
    permitText:
      "It lets Permit2, the contract {contract}, transfer exactly {amount}. It pays nothing without the second signature, and the payment uses it up.",
    showsPermit: "{wallet} shows Permit2 as the spender and the amount in the token's smallest unit.",
    transaction: "A transaction",
    serviceFee: "The service pays the network fee. The transaction contains nothing else.",
    switching:
      "If {wallet} is on another network, it first asks to switch to {chain}. Switching signs nothing and costs nothing."
  },
  progress: {
    title: "Swap progress",
    route: "{input} on {origin} → {output} on {destination}",
    steps: {
      quote: "Price agreed",
      delegation: "Delegated",
      sign: "Signed",
      submit: "Submitted",
      payment: "Paid on {chain}",
      delivery: "Delivered on {chain}",
      refund: "{amount} refunded on {chain}"
    },
    failed: {
      quote: "No price agreed",
      delegation: "Not delegated",
      sign: "Not signed",
      submit: "Not submitted",
      payment: "Payment failed on {chain}",
      delivery: "Delivery failed on {chain}"
    },
    /** The steps while they are in progress. */
    running: {
      quote: "Agreeing on the price",
      delegation: "Delegating",
      sign: "Signing",
      submit: "Submitting",
      payment: "Paying on {chain}",
      delivery: "Delivering on {chain}",
      refund: "Refunding {amount} on {chain}"
    },
    /** The steps before they start. */
    ahead: {
      quote: "Price",
      delegation: "Delegation",
      sign: "Signature",
      submit: "Submission",
      payment: "Payment on {chain}",
      delivery: "Delivery on {chain}",
      refund: "Refund of {amount} on {chain}"
    },
    states: { waiting: "not started", running: "in progress", done: "done", failed: "failed" },
    signedAs: {
      delegation: "A payment from your delegated wallet",
      eip3009: "A payment authorization (EIP-3009)",
      permit2: "A payment through Permit2",
      erc2612: "A permit and a payment through Permit2"
    },
    confirmIn: "Confirm in {wallet}",
    confirmTwice: "Confirm twice in {wallet}: the permit, then the payment",
    maySwitch: "It may first ask to switch to {chain}.",
    verifying: "Verifying the swap before signing",
    notes: {
      submit: "Submitting to the service",
      payment: "Waiting for the payment to confirm",
      delivery: "Payment received, delivering",
      refund: "Refunding your payment"
    },
    reconnecting: "The service cannot be reached. Reconnecting",
    continues: "The swap continues without this page",
    hash: {
      payment: "payment transaction hash",
      delivery: "delivery transaction hash",
      refund: "refund transaction hash"
    },
    canClose:
      "You can close this page or start another swap. This swap continues, and is listed under Activity when it has finished.",
    notify: "Notify me at the end",
    cancel: "Cancel",
    newSwap: "New swap",
    anotherSwap: "Start another swap",
    tryAgain: "Try again",
    changeRecipient: "Change recipient",
    slow: "Slower than usual. Your payment is safe: it will be delivered or refunded.",
    cancelled: "Cancelled.",
    mayContinue: "The swap was already signed and sent, so it may continue. Resume it to see the result.",
    resume: "Resume this swap",
    delivered: "{amount} delivered",
    deliveredTo: "Delivered to {recipient} on {chain}.",
    newBalance: "The balance there is now {amount}.",
    refunded: "Delivery failed: {amount} refunded",
    costDeducted: "The network cost was deducted, because the recipient could not receive the token.",
    belowMinimum: "That is less than the minimum that you agreed to. Contact the operator of the service.",
    nothingPaid: "Swap failed: nothing was paid",
    claimed: "{outcome}, according to the service",
    unproved:
      "This page cannot prove that, so what you signed may still be executed. Before you swap these tokens again, check how the swap ended, for example in a block explorer. Then forget this swap.",
    unitsOf: "{amount} units of {token}",
    chain: "chain {id}",
    hiddenOutput: "at least {minimum} on {chain} to {recipient}",
    cannotShow:
      "{wallet} cannot show what you receive. This page has verified that the signature commits to {receives}.",
    showsHash:
      "{wallet} shows only a hash. This page has verified that it stands for a payment of exactly {amount} for {receives}."
  },
  unfinished: {
    title: "Unfinished swaps",
    inProgress: "Swap in progress: {route}",
    unproved: "Swap without a certain end: {route}",
    ends: {
      settled: "Delivered",
      refunded: "Refunded",
      failed: "Failed",
      pending: "Stopped"
    },
    started: "started {ago}",
    dismiss: "Dismiss",
    forget: "Forget this swap",
    forgetTitle: "Forget this swap?",
    forgetText:
      "This does not stop the swap. If it was accepted, it will still be delivered or refunded. This page just stops following it, and no longer keeps you from paying twice.",
    forgetAccepted:
      "This does not stop the swap. It will still be delivered or refunded. This page just stops following it, and no longer keeps you from paying twice.",
    notRemoved: "The swap could not be removed.",
    allowStorage: "Allow storage for this site, then try again.",
    keep: "Keep it",
    forgetIt: "Forget it",
    unread: "An unfinished swap stored in this browser could not be read.",
    unreadText: "The swap itself will continue."
  },
  activity: {
    title: "Activity",
    claims: "How each swap ended, according to the service.",
    empty: "Your finished swaps appear here. They are stored only in this browser.",
    filter: "Filter by outcome",
    all: "All",
    otherWallets: "Show {count} of other wallets",
    took: "Took {duration}.",
    refunded: "Refund on {chain}",
    showAll: "All activity ({count})",
    amountPaid: "Amount paid",
    amountDelivered: "Amount delivered",
    amountRefunded: "Amount refunded",
    wallet: "Paid by",
    walletAddress: "paying address",
    swap: "Swap",
    swapId: "swap id",
    chain: "Filter by chain",
    noMatch: "No swap matches.",
    transactionHash: "transaction hash",
    recipientAddress: "recipient",
    export: "Export",
    exportCsv: "Export as CSV",
    clear: "Clear",
    clearTitle: "Clear your activity?",
    clearText:
      "This removes {swaps} from this browser. This list is the only record that the page keeps, so export it first if you need it. The swaps themselves do not change.",
    keep: "Keep",
    removed: "Removed {swaps}.",
    undo: "Undo",
    count: { one: "1 swap", other: "{count} swaps" }
  },
  status: {
    offline: "You are offline",
    up: "Service and chains available",
    unknown: "Connecting to the service",
    down: "Service unreachable, reconnecting",
    partly: "Unavailable: {chains}",
    docs: "API documentation",
    source: "How it works"
  },
  time: {
    seconds: "{seconds} s",
    minutes: "{minutes} min {seconds} s",
    hours: "{hours} h {minutes} min",
    wholeMinutes: "{minutes} min",
    about: "about {duration}",
    of: "{elapsed}, {expected} expected",
    justNow: "just now",
    minutesAgo: "{minutes} min ago",
    hoursAgo: "{hours} h ago",
    daysAgo: "{days} days ago"
  },
  signed: {
    nothing: "Nothing was signed.",
    nothingSent: "Nothing was sent.",
    nothingSentOrPaid: "Nothing was sent or paid.",
    nothingPaid: "Nothing was paid.",
    permitDiscarded: "No payment was signed. If you signed the permit, this page has discarded it.",
    maybeDelegation: "The delegation may have been signed. Nothing was paid.",
    onlyDelegation: "Only the delegation was signed. Nothing was paid."
  },
  failures: {
    INVALID_AUTHORIZATION: "The wallet's delegation changed during the swap. Swap again to sign a new delegation.",
    OPERATION_EXPIRED: "The operation expired before the chain included it.",
    INSUFFICIENT_BALANCE: "The wallet no longer had enough tokens.",
    VAULT_PAUSED: "The service paused its contract.",
    REVERTED: "The transaction reverted. The token may be paused, or the recipient may be unable to receive it.",
    SLIPPAGE: "The price fell below your minimum before the payment arrived.",
    PRICE_UNAVAILABLE: "Prices were unavailable for too long.",
    NO_ROUTE: "There is no longer a route for this pair.",
    INSUFFICIENT_INVENTORY: "The service ran out of the output token.",
    CAP_EXCEEDED: "The service reached its hourly limit for this token.",
    DELIVERY_TOO_LATE: "The quote was too old for the swap to be delivered.",
    DESTINATION_UNAVAILABLE: "The destination chain was unreachable for too long.",
    REFUNDED_BY_OWNER: "The service's operator refunded the swap manually."
  },
  unknownFailure: "The service reported the failure code {code}.",
  errors: {
    tags: {
      InsufficientBalance: [
        "The wallet does not have enough tokens.",
        "Lower the amount or pay with a different wallet."
      ],
      AmountTooSmall: ["This amount is too small to cover the network cost.", "Try a larger amount."],
      AmountTooLarge: ["This amount is too large to swap at once.", "Try a smaller amount."],
      NoRoute: ["There is no route for this pair.", "Choose a different token or chain."],
      NeedsDelegation: delegationFailed,
      InvalidAuthorization: delegationFailed,
      Unsupported: [
        "This wallet is delegated to another provider, and it cannot pay with this token on this chain.",
        "Nothing was paid. Pay with a different token or wallet, or from a different chain."
      ],
      SwapInProgress: [
        "A swap from this wallet is still running on this chain.",
        "Wait until that swap has finished, then try again."
      ],
      QuoteMoved: ["The price changed.", "Nothing was signed at the new price. Review the new price."],
      InvalidToken: ["The service rejected its own quote.", "Nothing was paid. Try again with a new price."],
      Unauthorized: ["The service does not accept requests from this page.", "Contact this site's operator."],
      ProtocolError: ["The service sent an invalid response.", "Try again later or contact its operator."],
      OutcomeUnknown: [
        "It is not yet known whether the swap was accepted.",
        "Do not swap again. Resume this swap instead. Resuming signs nothing new and never pays twice."
      ],
      UnfinishedSwap: [
        "An earlier swap from this wallet has not ended for certain.",
        "Nothing was signed now, because you could pay twice. Resume the earlier swap, or forget it if you know how it ended."
      ],
      WaitTimeout: [
        "The swap is taking longer than usual.",
        "It is still running. Do not swap again. Resume it later."
      ],
      IdempotencyConflict: [
        "This form has already been used for another swap.",
        "Nothing was signed. Go back and review the swap again."
      ]
    },
    wallet: "The wallet",
    aMoment: "a moment",
    cancelled: "Cancelled. {signed}",
    startAgain: "Start again whenever you like.",
    incapable: "{wallet} cannot sign what this swap requires.",
    incapableText:
      "{signed} Browser wallets do not sign EIP-7702 delegations for websites, and not every token offers another way to pay. Pay with a different token or wallet, or from a different chain.",
    noWallet: ["None of the connected wallets can pay.", "Connect another wallet under “Wallets”."],
    unknownNetwork: "{wallet} does not know this network.",
    addNetwork: "{signed} Add the network in the wallet, then try again.",
    otherNetwork: "{wallet} is on another network.",
    switchNetwork: "{signed} Switch the network in the wallet, then try again.",
    couldNotSign: "{wallet} could not sign.",
    unlock: "{signed} Unlock the wallet, then try again.",
    invalidSignature: "{wallet} returned an invalid signature for this swap.",
    turnOff:
      "{signed} Turn off wallet settings that change transactions, such as a priority fee, or use a different wallet.",
    atLeast: "Enter at least {amount}.",
    atMost: "Enter at most {amount}.",
    hasAndNeeds: "The wallet has {has}, and the swap needs {needs}.",
    rejections: {
      PAYMENT_METHOD_UNAVAILABLE: [
        "The wallet can no longer pay in this way.",
        "Nothing was paid. Get a new price and try again, or pay with a different token."
      ],
      SLIPPAGE: ["The price moved by more than your slippage limit.", "Try again or allow more slippage."]
    },
    refused: ["The service refused this swap.", "Nothing was paid. Change the swap and try again."],
    otherTab: ["This swap finished in another tab.", "See that tab for the result."],
    invalidSwap: ["This swap is invalid.", "Nothing was sent. Change the swap and try again."],
    lossDeclined: "You did not accept the loss. {signed}",
    smallerAmount: "Try a smaller amount or a different pair.",
    policy: "This page's policy refused the swap.",
    changeSwap: "{signed} Change the swap and try again.",
    unsafe: "The operation does not match what you confirmed.",
    unsafeText:
      "{signed} Do not try again: the service may be faulty or dishonest. Send the details below to its operator.",
    quoteExpired: "The quote has expired.",
    operationExpired: "The operation has expired.",
    expiredText: "Nothing was paid. Get a new price and try again.",
    quoteDeclined: "You did not accept the quote. {signed}",
    delegationDeclined: "You did not accept the delegation. {signed}",
    busy: "The service is busy.",
    busyText: "Wait {wait}, then try again.",
    unreachable: "The service cannot be reached.",
    retries: "Check your connection. The page retries automatically.",
    tryAgain: "Nothing was paid. Check your connection, then try again.",
    reader: "The node that checks swaps could not be reached.",
    readerText: "{signed} Check your connection, then try again.",
    store: "This browser does not let the page store what you sign.",
    storeText: "{signed} Allow storage for this site or leave private browsing, then try again.",
    storeUnread: [
      "The stored data for this swap could not be read.",
      "This does not stop the swap. Allow storage for this site, then resume the swap."
    ],
    storeUnwritten: [
      "This browser does not let the page store the swap.",
      "Nothing was submitted. Allow storage for this site or leave private browsing, then try again."
    ],
    page: ["Something went wrong on this page.", "Reload the page. Swaps in progress are not lost."]
  }
} as const
