/** The page's texts in English. The other languages have the same shape. */
import type { PaymentMethod, Swap } from "@geoswap/core/promise"
import type { Family } from "../config.js"
import type { ShownStep } from "../progress/shownSteps.js"

const wallets: Readonly<Record<Family, string>> = { evm: "an EVM wallet", solana: "a Solana wallet" }
const walletCount = { one: "1 swap", many: (count: string) => `${count} swaps` }

const ends: Readonly<Record<Swap["status"], string>> = {
  settled: "Delivered",
  refunded: "Refunded",
  failed: "Failed",
  pending: "Stopped"
}

const stepStates: Readonly<Record<ShownStep["state"], string>> = {
  waiting: "not started",
  running: "in progress",
  done: "done",
  failed: "failed"
}

const signedAs: Readonly<Record<PaymentMethod, string>> = {
  delegation: "A payment from your delegated wallet",
  eip3009: "A payment authorization (EIP-3009)",
  permit2: "A payment through Permit2",
  erc2612: "A permit and a payment through Permit2"
}

const impossible = {
  delegation: "Browser wallets do not sign EIP-7702 delegations for websites"
}

export const en = {
  /** The name of the language, in the language. */
  name: "English",
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
    ] as ReadonlyArray<readonly [title: string, text: string]>,
    foot: "Your browser verifies every swap before you sign. Keys never leave your wallet.",
    footDevnet:
      "Your browser verifies every swap before you sign. The keys of test wallets are public; your own wallet's keys never leave it.",
    theme: (theme: "system" | "light" | "dark") => `Theme: ${theme}`,
    language: "Language",
    close: "Close",
    details: "Details",
    copy: (what: string) => `Copy ${what}`,
    copied: "Copied",
    openInExplorer: (what: string) => `Open ${what} in the explorer`,
    exactAmount: "exact amount",
    showExact: "shortened. Show the exact amount",
    shorten: "Shorten"
  },
  broken: {
    title: "This page could not be loaded",
    text: "Something went wrong.",
    swaps: "Swaps that you have submitted will continue without this page.",
    reload: "Reload",
    noConfig: (status: number) =>
      `The server returned no configuration for this page (HTTP ${status}). Contact its operator.`,
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
    connected: (name: string) => `${name} is connected. Close this dialog to continue.`,
    cancelled: (name: string) => `The connection to ${name} was cancelled.`,
    failed: (name: string) => `${name} could not be connected. Unlock the wallet and try again.`,
    noAccount: (name: string) => `${name} did not share an account with this page.`,
    browserWallet: "Browser wallet",
    solanaWallet: "Solana wallet",
    address: "address"
  },
  delegations: {
    title: "Delegations",
    text: "A delegation lets a contract act for your wallet on one chain, but only with your signatures. It stays until you remove or replace it.",
    inWallet: (wallet: string) => `${wallet} does not let websites change delegations. Remove them in its settings.`,
    reading: "Reading",
    none: "Not delegated",
    here: "Delegated to this service",
    elsewhere: "Delegated to another provider",
    contract: "contract",
    remove: "Remove",
    removing: "Removing",
    removeOn: (chain: string) => `Remove the delegation on ${chain}`
  },
  form: {
    title: "Swap",
    from: "From",
    to: "To",
    amount: "Amount",
    amountInDollars: "Amount in dollars",
    dollars: "Switch between tokens and dollars",
    receive: "You receive",
    balance: (amount: string) => `Balance ${amount}`,
    max: "Max",
    shares: "Shares of your balance",
    noWallet: "No wallet",
    flip: "Swap direction",
    review: "Review swap",
    button: {
      loading: "Loading",
      connectAny: "Connect wallet",
      connect: (family: Family): string => (family === "evm" ? "Connect EVM wallet" : "Connect Solana wallet"),
      amount: "Enter an amount",
      checkAmount: "Check the amount",
      checkTokens: "Check the tokens",
      checkSlippage: "Check the slippage",
      insufficient: (symbol: string) => `Insufficient ${symbol}`,
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
    removeName: (name: string) => `Remove ${name}`,
    solanaAddress: "Solana address",
    settings: "Settings",
    onlyReceived: (native: string, token: string) =>
      `${native} can only be received, not paid. You now pay with ${token}: enter an amount.`,
    hints: {
      loading: "Loading chains.",
      connect: (family: Family) => `The price is an estimate until ${wallets[family]} is connected.`,
      delegation: "Checking whether your wallet needs a delegation.",
      payment: "Checking how your wallet can pay.",
      price: "Getting a price."
    },
    checkDelegation: "Check the delegation again",
    errors: {
      chain: "This chain is not available.",
      token: (chain: string) => `This token is not available on ${chain}.`,
      samePair: "Choose a different token or chain.",
      connect: (family: Family, chain: string) => `Connect ${wallets[family]} to pay on ${chain}.`,
      balance: (balance: string) => `Your balance is ${balance}.`,
      recipientMissing: (family: Family) => `Connect ${wallets[family]} or enter a recipient.`,
      recipientChecksum: "This address has an invalid checksum, so it contains a typo. Copy it again.",
      recipientInvalid: (chain: string, family: Family) =>
        `This is not an address on ${chain}. ${family === "evm" ? "Enter 0x and 40 hexadecimal digits" : "Enter 32 to 44 letters and digits"}.`,
      recipientLength: (digits: number) =>
        `This address has ${digits} digits after 0x, but it needs 40. Copy the whole address.`,
      recipientFamily: (family: Family, chain: string) =>
        `This is ${family === "evm" ? "an EVM" : "a Solana"} address. It cannot receive tokens on ${chain}.`,
      recipientName: "This page cannot look up names. Enter the address.",
      recipientZero: "This is the zero address. Enter a different one.",
      spaces: (number: string) => `Enter ${number}, without spaces.`,
      separator: (number: string) => `Did you mean ${number}?`,
      ambiguous: (whole: string, fraction: string) => `Did you mean ${whole} or ${fraction}?`,
      number: (example: string) => `Enter a number such as ${example}.`,
      separators: (example: string) => `Enter a number such as ${example}, without separators between the digits.`,
      positive: "Enter an amount greater than 0.",
      noDecimals: (symbol: string) => `${symbol} has no decimals. Enter a whole number.`,
      decimals: (symbol: string, most: number, entered: number) =>
        `${symbol} has ${most} decimals, but this amount has ${entered}.`,
      tooLarge: "This amount is too large.",
      maxSlippage: (percent: string) => `The maximum slippage is ${percent}.`
    }
  },
  names: {
    placeholder: (address: string) => `${address} or name.eth`,
    lookingUp: (name: string) => `Looking up ${name}.`,
    found: (name: string, chain: string) => `${name} has this address on ${chain}:`,
    address: "address",
    ethereum: (chain: string) =>
      `The name has no address for ${chain}. This is its address on Ethereum. If it belongs to a contract, the owner may not control it on ${chain}.`,
    use: "Use this address",
    used: (name: string) => `The address of ${name}.`,
    invalid: (name: string) => `${name} is not a valid name.`,
    notFound: (name: string, chain: string) => `${name} has no address on ${chain}.`,
    failed: (name: string) => `${name} could not be looked up.`,
    again: "Try again"
  },
  picker: {
    title: { from: "Pay with", to: "Receive" },
    button: {
      from: (token: string) => `Pay with ${token}`,
      to: (token: string) => `Receive ${token}`
    },
    select: "Select a token",
    search: "Search tokens",
    placeholder: "Name, symbol or address",
    chains: "Chains",
    allChains: "All chains",
    recent: "Recent",
    tokens: "Tokens",
    on: (token: string, chain: string) => `${token} on ${chain}`,
    onChain: (chain: string) => `on ${chain}`,
    found: (count: number): string => (count === 1 ? "1 token" : `${count} tokens`),
    none: "No token matches.",
    unverified: "Added by you",
    unlisted: "This page does not list this token. Its symbol and decimals can be read through your wallet.",
    notTraded: "The service does not trade this token.",
    needsWallet: "Connect an EVM wallet of your browser. The token is read through it, never from the service.",
    readThrough: (wallet: string, chain: string) => `Read it on ${chain} through ${wallet}`,
    otherNetwork: (chain: string) => `Switch the wallet to ${chain}, then try again.`,
    notAToken: (chain: string) => `This address is not a token on ${chain}.`,
    unpinned: (symbol: string) => `This page does not list ${symbol}.`,
    unpinnedText: "Anyone can create a token with this symbol. Compare its address:"
  },
  slippage: {
    title: "Slippage",
    text: "How far the price may fall before delivery. If it falls further, your payment is refunded.",
    auto: (percent: string | undefined) => (percent === undefined ? "Auto" : `Auto (${percent})`),
    custom: "Custom",
    label: "Slippage in percent",
    number: (example: string) => `Enter a percentage such as ${example}.`,
    step: (step: string) => `The smallest step is ${step}.`,
    range: (most: string) => `Enter at most ${most}.`,
    high: "This slippage is high. Before you sign, you will be asked to confirm the amount at risk."
  },
  price: {
    validFor: (seconds: number) => `Price valid for ${seconds} s`,
    refreshing: "Refreshing the price",
    getting: "Getting a price",
    expired: "Price expired",
    none: "No price yet",
    estimate: "Estimate, not a firm price",
    cost: "Cost",
    rate: "Rate",
    invert: "Invert the rate",
    fee: "Fee",
    tier: (tier: string) => `${tier} discount`,
    tierText: (percent: string) => `Your wallet's balance earns it ${percent} off the fee.`,
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
    title: (wallet: string, token: string, chain: string) => `${wallet} cannot pay with ${token} on ${chain}.`,
    otherProvider: (provider: string | undefined) =>
      `It is delegated to another provider${provider === undefined ? "" : ` (${provider})`}. `,
    service: (message: string) => `The service says: ${message}`,
    noWay: (token: string) => `${impossible.delegation}, and ${token} offers this wallet no other way to pay. `,
    advice: (devnet: boolean) =>
      `Pay with another token, ${devnet ? "a test wallet, " : ""}another wallet, or from another chain.`
  },
  review: {
    title: "Review your swap",
    missing: "Some details of this swap are now missing. Go back and check them.",
    yourWallet: "Your wallet",
    from: (wallet: string, chain: string) => `from ${wallet} on ${chain}`,
    to: (wallet: string, chain: string) => `to ${wallet} on ${chain}`,
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
    refund: (amount: string) =>
      `If delivery fails, you get ${amount} back. The network cost is deducted only if the recipient's address cannot receive the token.`,
    back: "Back",
    confirm: "Confirm and sign",
    refreshing: "Refreshing the price.",
    unchanged: "Price refreshed: no change.",
    better: (percent: string) => `Price refreshed: ${percent} better than before.`,
    worse: (percent: string) => `Price refreshed: ${percent} worse than before.`,
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
    cost: (percent: string) => `I accept a total cost of up to ${percent} of the value`,
    unknownCost: "I accept a total cost that is unknown",
    now: (dollars: string) => `Now ${dollars}.`,
    mostlyNetwork: "Most of it is the network cost, which does not depend on the amount.",
    mostlyFee: "Most of it is the fee.",
    mostlyImpact: "Most of it is price impact: the amount is large for this market.",
    slippage: (amount: string) => `I accept receiving only ${amount}`,
    atRisk: (amount: string, percent: string) =>
      `Your slippage puts ${amount} at risk: ${percent} of the quoted output.`
  },
  signatures: {
    delegation: "A delegation",
    notNamed: "(not named by the service)",
    delegationText: (address: string, pinned: boolean, wallet: string, chain: string) =>
      `You sign this once. It lets the contract ${address} (${pinned ? "the one that this page expects" : "NOT the one that this page expects: it will be refused"}) act for ${wallet} on ${chain}, but only with your signatures. This is how a wallet without gas can pay.`,
    commitment: (amount: string, origin: string, minimum: string, destination: string, recipient: string) =>
      `It pays exactly ${amount} on ${origin} for at least ${minimum} on ${destination} to ${recipient}.`,
    operation: "The payment",
    nothingElse: "It allows nothing else.",
    showsTerms: (wallet: string) =>
      `${wallet} shows these terms, with amounts in the tokens' smallest units. Compare them before you sign.`,
    showsHash: (wallet: string) => `${wallet} shows only a hash of 32 bytes, so read the terms here.`,
    authorization: signedAs.eip3009,
    onlyVault: (vault: string) =>
      `It allows only the contract ${vault} (the one that this page expects) to collect this amount, once.`,
    showsAmount: (wallet: string) =>
      `${wallet} shows the amount and that contract. It cannot show the recipient or what you receive, because they are hashed into the nonce, so read them here.`,
    permit2: signedAs.permit2,
    permit: "A permit (ERC-2612)",
    permitText: (contract: string, amount: string) =>
      `It lets Permit2, the contract ${contract}, transfer exactly ${amount}. It pays nothing without the second signature, and the payment uses it up.`,
    showsPermit: (wallet: string) =>
      `${wallet} shows Permit2 as the spender and the amount in the token's smallest unit.`,
    transaction: "A transaction",
    serviceFee: "The service pays the network fee. The transaction contains nothing else.",
    switching: (wallet: string, chain: string) =>
      `If ${wallet} is on another network, it first asks to switch to ${chain}. Switching signs nothing and costs nothing.`
  },
  progress: {
    title: "Swap progress",
    route: (input: string, origin: string, output: string, destination: string) =>
      `${input} on ${origin} → ${output} on ${destination}`,
    steps: {
      quote: "Price agreed",
      delegation: "Delegated",
      sign: "Signed",
      submit: "Submitted",
      paid: (chain: string) => `Paid on ${chain}`,
      paymentFailed: (chain: string) => `Payment failed on ${chain}`,
      delivered: (chain: string) => `Delivered on ${chain}`,
      deliveryFailed: (chain: string) => `Delivery failed on ${chain}`,
      refunded: (amount: string, chain: string) => `${amount} refunded on ${chain}`
    },
    /** The steps while they are in progress. */
    running: {
      quote: "Agreeing on the price",
      delegation: "Delegating",
      sign: "Signing",
      submit: "Submitting",
      payment: (chain: string) => `Paying on ${chain}`,
      delivery: (chain: string) => `Delivering on ${chain}`,
      refund: (amount: string, chain: string) => `Refunding ${amount} on ${chain}`
    },
    /** The steps before they start. */
    ahead: {
      quote: "Price",
      delegation: "Delegation",
      sign: "Signature",
      submit: "Submission",
      payment: (chain: string) => `Payment on ${chain}`,
      delivery: (chain: string) => `Delivery on ${chain}`,
      refund: (amount: string, chain: string) => `Refund of ${amount} on ${chain}`
    },
    states: stepStates,
    signedAs,
    confirmIn: (wallet: string) => `Confirm in ${wallet}`,
    confirmTwice: (wallet: string) => `Confirm twice in ${wallet}: the permit, then the payment`,
    maySwitch: (chain: string) => `It may first ask to switch to ${chain}.`,
    verifying: "Verifying the swap before signing",
    submitting: "Submitting to the service",
    paying: "Waiting for the payment to confirm",
    delivering: "Payment received, delivering",
    refunding: "Refunding your payment",
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
    cancelled: "Cancelled.",
    mayContinue: "The swap was already signed and sent, so it may continue. Resume it to see the result.",
    resume: "Resume this swap",
    delivered: (amount: string) => `${amount} delivered`,
    deliveredTo: (recipient: string, chain: string) => `Delivered to ${recipient} on ${chain}.`,
    newBalance: (amount: string) => `The balance there is now ${amount}.`,
    refunded: (amount: string) => `Delivery failed: ${amount} refunded`,
    costDeducted: "The network cost was deducted, because the recipient could not receive the token.",
    belowMinimum: "That is less than the minimum that you agreed to. Contact the operator of the service.",
    failed: "Swap failed: nothing was paid",
    claimed: (outcome: string) => `${outcome}, according to the service`,
    unproved:
      "This page cannot prove that, so what you signed may still be executed. Before you swap these tokens again, check how the swap ended, for example in a block explorer. Then forget this swap.",
    unitsOf: (amount: string, token: string) => `${amount} units of ${token}`,
    chain: (id: number) => `chain ${id}`,
    hiddenOutput: (minimum: string, chain: string, recipient: string) =>
      `at least ${minimum} on ${chain} to ${recipient}`,
    cannotShow: (wallet: string, receives: string) =>
      `${wallet} cannot show what you receive. This page has verified that the signature commits to ${receives}.`,
    showsHash: (wallet: string, amount: string, receives: string) =>
      `${wallet} shows only a hash. This page has verified that it stands for a payment of exactly ${amount} for ${receives}.`
  },
  unfinished: {
    title: "Unfinished swaps",
    inProgress: (route: string) => `Swap in progress: ${route}`,
    unproved: (route: string) => `Swap without a certain end: ${route}`,
    ends,
    started: (ago: string) => `started ${ago}`,
    dismiss: "Dismiss",
    forget: "Forget this swap",
    forgetTitle: "Forget this swap?",
    forgetText: (accepted: boolean) =>
      `This does not stop the swap. ${accepted ? "It" : "If it was accepted, it"} will still be delivered or refunded. This page just stops following it, and no longer keeps you from paying twice.`,
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
    statuses: ends,
    filter: "Filter by outcome",
    all: "All",
    otherWallets: (count: string) => `Show ${count} of other wallets`,
    took: (duration: string) => `Took ${duration}.`,
    paid: (chain: string) => `Payment on ${chain}`,
    delivered: (chain: string) => `Delivery on ${chain}`,
    refunded: (chain: string) => `Refund on ${chain}`,
    showAll: (count: string) => `All activity (${count})`,
    amountPaid: "Amount paid",
    amountDelivered: "Amount delivered",
    amountRefunded: "Amount refunded",
    wallet: "Paid by",
    walletAddress: "paying address",
    swap: "Swap",
    swapId: "swap id",
    chain: "Filter by chain",
    allChains: "All chains",
    noMatch: "No swap matches.",
    recipient: "Recipient",
    transactionHash: "transaction hash",
    recipientAddress: "recipient",
    export: "Export",
    exportCsv: "Export as CSV",
    clear: "Clear",
    clearTitle: "Clear your activity?",
    clearText: (swaps: string) =>
      `This removes ${swaps} from this browser. This list is the only record that the page keeps, so export it first if you need it. The swaps themselves do not change.`,
    keep: "Keep",
    removed: (swaps: string) => `Removed ${swaps}.`,
    undo: "Undo",
    count: (count: number, formatted: string): string => (count === 1 ? walletCount.one : walletCount.many(formatted))
  },
  status: {
    up: "Service and chains available",
    unknown: "Connecting to the service",
    down: "Service unreachable, reconnecting",
    partly: (chains: string) => `Unavailable: ${chains}`,
    docs: "API documentation",
    source: "How it works"
  },
  time: {
    seconds: (seconds: number) => `${seconds} s`,
    minutes: (minutes: number, seconds: number) => `${minutes} min ${seconds} s`,
    hours: (hours: number, minutes: number) => `${hours} h ${minutes} min`,
    wholeMinutes: (minutes: number) => `${minutes} min`,
    about: (duration: string) => `about ${duration}`,
    of: (elapsed: string, expected: string) => `${elapsed}, ${expected} expected`,
    justNow: "just now",
    minutesAgo: (minutes: number) => `${minutes} min ago`,
    hoursAgo: (hours: number) => `${hours} h ago`,
    daysAgo: (days: number) => `${days} days ago`
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
  } as Readonly<Record<string, string>>,
  unknownFailure: (code: string) => `The service reported the failure code ${code}.`,
  errors: {
    wallet: "The wallet",
    aMoment: "a moment",
    cancelled: (signed: string) => `Cancelled. ${signed}`,
    startAgain: "Start again whenever you like.",
    incapable: (wallet: string) => `${wallet} cannot sign what this swap requires.`,
    incapableText: (signed: string) =>
      `${signed} ${impossible.delegation}, and not every token offers another way to pay. Pay with a different token or wallet, or from a different chain.`,
    noWallet: ["None of the connected wallets can pay.", "Connect another wallet under “Wallets”."],
    unknownNetwork: (wallet: string) => `${wallet} does not know this network.`,
    addNetwork: (signed: string) => `${signed} Add the network in the wallet, then try again.`,
    otherNetwork: (wallet: string) => `${wallet} is on another network.`,
    switchNetwork: (signed: string) => `${signed} Switch the network in the wallet, then try again.`,
    couldNotSign: (wallet: string) => `${wallet} could not sign.`,
    unlock: (signed: string) => `${signed} Unlock the wallet, then try again.`,
    invalidSignature: (wallet: string) => `${wallet} returned an invalid signature for this swap.`,
    turnOff: (signed: string) =>
      `${signed} Turn off wallet settings that change transactions, such as a priority fee, or use a different wallet.`,
    noRoute: ["There is no route for this pair.", "Choose a different token or chain."],
    tooSmall: ["This amount is too small to cover the network cost.", "Try a larger amount."],
    atLeast: (amount: string) => `Enter at least ${amount}.`,
    tooLarge: ["This amount is too large to swap at once.", "Try a smaller amount."],
    atMost: (amount: string) => `Enter at most ${amount}.`,
    hasAndNeeds: (has: string, needs: string) => `The wallet has ${has}, and the swap needs ${needs}.`,
    insufficientBalance: [
      "The wallet does not have enough tokens.",
      "Lower the amount or pay with a different wallet."
    ],
    methodGone: [
      "The wallet can no longer pay in this way.",
      "Nothing was paid. Get a new price and try again, or pay with a different token."
    ],
    slippage: ["The price moved by more than your slippage limit.", "Try again or allow more slippage."],
    refused: ["The service refused this swap.", "Nothing was paid. Change the swap and try again."],
    otherTab: ["This swap finished in another tab.", "See that tab for the result."],
    invalidSwap: ["This swap is invalid.", "Nothing was sent. Change the swap and try again."],
    lossDeclined: (signed: string) => `You did not accept the loss. ${signed}`,
    smallerAmount: "Try a smaller amount or a different pair.",
    policy: "This page's policy refused the swap.",
    changeSwap: (signed: string) => `${signed} Change the swap and try again.`,
    unsafe: "The operation does not match what you confirmed.",
    unsafeText: (signed: string) =>
      `${signed} Do not try again: the service may be faulty or dishonest. Send the details below to its operator.`,
    delegation: ["The wallet's delegation could not be set up.", "Nothing was paid. Try again."],
    otherProvider: [
      "This wallet is delegated to another provider, and it cannot pay with this token on this chain.",
      "Nothing was paid. Pay with a different token or wallet, or from a different chain."
    ],
    running: [
      "A swap from this wallet is still running on this chain.",
      "Wait until that swap has finished, then try again."
    ],
    quoteExpired: "The quote has expired.",
    operationExpired: "The operation has expired.",
    expiredText: "Nothing was paid. Get a new price and try again.",
    quoteMoved: ["The price changed.", "Nothing was signed at the new price. Review the new price."],
    quoteDeclined: (signed: string) => `You did not accept the quote. ${signed}`,
    delegationDeclined: (signed: string) => `You did not accept the delegation. ${signed}`,
    invalidToken: ["The service rejected its own quote.", "Nothing was paid. Try again with a new price."],
    unauthorized: ["The service does not accept requests from this page.", "Contact this site's operator."],
    busy: "The service is busy.",
    busyText: (wait: string) => `Wait ${wait}, then try again.`,
    unreachable: "The service cannot be reached.",
    retries: "Check your connection. The page retries automatically.",
    tryAgain: "Nothing was paid. Check your connection, then try again.",
    protocol: ["The service sent an invalid response.", "Try again later or contact its operator."],
    unknown: [
      "It is not yet known whether the swap was accepted.",
      "Do not swap again. Resume this swap instead. Resuming signs nothing new and never pays twice."
    ],
    unfinished: [
      "An earlier swap from this wallet has not ended for certain.",
      "Nothing was signed now, because you could pay twice. Resume the earlier swap, or forget it if you know how it ended."
    ],
    slow: ["The swap is taking longer than usual.", "It is still running. Do not swap again. Resume it later."],
    formUsed: [
      "This form has already been used for another swap.",
      "Nothing was signed. Go back and review the swap again."
    ],
    reader: "The node that checks swaps could not be reached.",
    readerText: (signed: string) => `${signed} Check your connection, then try again.`,
    store: "This browser does not let the page store what you sign.",
    storeText: (signed: string) => `${signed} Allow storage for this site or leave private browsing, then try again.`,
    storeUnread: [
      "The stored data for this swap could not be read.",
      "This does not stop the swap. Allow storage for this site, then resume the swap."
    ],
    storeUnwritten: [
      "This browser does not let the page store the swap.",
      "Nothing was submitted. Allow storage for this site or leave private browsing, then try again."
    ],
    page: ["Something went wrong on this page.", "Reload the page. Swaps in progress are not lost."]
  } satisfies Readonly<Record<string, string | readonly [string, string] | ((...args: ReadonlyArray<never>) => string)>>
}

/** The texts of the page in one language. */
export type Catalogue = typeof en
