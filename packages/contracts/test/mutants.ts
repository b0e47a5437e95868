/** Changes of the contracts that weaken them. Each has one check or one bound value less. */

/** A change of a contract. */
interface Change {
  readonly name: string
  readonly file: "GeoVault" | "GeoAccount"
  readonly from: string
  readonly to: string
  /** Which of several occurrences to replace (default: the only one). */
  readonly nth?: number
}

export interface Mutant extends Change {
  /** The name of the probe that notices it. The others are not run, because each of them takes time. */
  readonly probe: string
}

const noticedBy = (probe: string, changes: ReadonlyArray<Change>): ReadonlyArray<Mutant> =>
  changes.map((change) => ({ ...change, probe }))

/** A mutant of the vault. */
const inVault = (name: string, from: string, to: string, nth?: number): Change => ({
  name,
  file: "GeoVault",
  from,
  to,
  ...(nth === undefined ? {} : { nth })
})

const inAccount = (name: string, from: string, to: string): Change => ({ name, file: "GeoAccount", from, to })

const notDelegated = "if (!isDelegate(_delegateOf(account))) revert NotDelegated();"
const parity = "uint8(27 + (uint256(vs) >> 255))"
const payment = "if (!LowLevelCall.callNoReturn(target, call)) LowLevelCall.bubbleRevert();"
const removal = "if (account == delegate) revert WrongDelegate();"

/** All mutants, by the probe that notices them. */
export const mutants: ReadonlyArray<Mutant> = [
  ...noticedBy("eip3009 does not pay as signed, with both parities", [
    inVault("an order without its wallet", "TYPEHASH, account, block", "TYPEHASH, 0, block"),
    inVault("an order without its chain", "account, block.chainid,", "account, 1,"),
    inVault("an order without its id", "chainid, payment.orderId,", "chainid, bytes32(0),"),
    inVault(
      "an order without its terms",
      "chainid, payment.orderId, payment.terms",
      "chainid, payment.orderId, bytes32(0)"
    ),
    inVault("the order's id as the nonce", "nonce = _hashOrder(account, payment)", "nonce = payment.orderId"),
    inVault("the wrong parity", parity, "uint8(28 - (uint256(vs) >> 255))"),
    inVault("always the same parity", parity, "27")
  ]),
  ...noticedBy("permit2 does not pay as signed, with both parities", [
    inVault("nonces of Permit2 without a prefix", "PERMIT2_NONCES | index", "index"),
    inVault("Permit2 with another recipient", "{to: address(this),", "{to: account,")
  ]),
  ...noticedBy("erc2612 does not pay as signed, with both parities", [
    inVault("a permit for the vault", "(account, PERMIT2,", "(account, address(this),")
  ]),
  ...noticedBy("a permit that a third party submitted stops the order", [
    inVault("a permit that has to succeed", "LowLevelCall.callNoReturn(\n", "require(LowLevelCall.callNoReturn(\n")
  ]),
  ...noticedBy("typed: a relayer changes the wallet", [
    inVault("a payment that may fail", payment, "LowLevelCall.callNoReturn(target, call);"),
    inAccount("an account that accepts any signer", " || signer != address(this)", "")
  ]),
  ...noticedBy("a token with a fee is accepted", [
    inVault("no check of what arrived", "!= balance + amount", "< balance")
  ]),
  ...noticedBy("one payment pays two orders", [
    inVault("payments inside payments", "if (flow.word != word) revert Reentered();", "")
  ]),
  ...noticedBy("a refund inside a payment is forgotten", [
    inVault("refunds inside payments", "if (flow.word != word)", "if (flow.word > word)")
  ]),
  ...noticedBy("typed does not pay as signed, with both parities", [
    inVault("no record for refunds", "_set(flow, hour, sum + (amount < room ? amount : room));", ""),
    inVault("an event without the terms", "account, token, amount, terms);", "account, token, amount, orderId);"),
    inAccount(
      "an account that adds the prefix",
      "_pay(op, digestOf(op), r, vs);",
      "_pay(op, MessageHashUtils.toEthSignedMessageHash(digestOf(op)), r, vs);"
    ),
    inAccount("an operation without its wallet", "GEO_OP_TYPEHASH, address(this),", "GEO_OP_TYPEHASH, address(0),"),
    inAccount("an operation without its chain", "block.chainid, delegate", "uint256(1), delegate")
  ]),
  ...noticedBy("the vault's account contract can be removed", [
    inVault("an account contract that can be removed", removal, "")
  ]),
  ...noticedBy("typed: presented by a stranger", [inVault("typed payments by anyone", "onlyRelayer {", "{", 1)]),
  ...noticedBy("eip3009: presented by a stranger", [inVault("authorizations by anyone", "onlyRelayer\n", "\n", 0)]),
  ...noticedBy("permit2: presented by a stranger", [inVault("Permit2 by anyone", "onlyRelayer\n", "\n", 1)]),
  ...noticedBy("erc2612: presented by a stranger", [inVault("permits by anyone", "onlyRelayer {", "{", 2)]),
  ...noticedBy("a relayer collects a typed operation from a wallet without a delegation", [
    inVault("typed payments without a delegation", notDelegated, "", 1)
  ]),
  ...noticedBy("eip3009: an amount of zero", [
    inVault("authorizations of zero", "if (payment.amount == 0) revert Nothing();", "", 0)
  ]),
  ...noticedBy("permit2: an amount of zero", [
    inVault("Permit2 of zero", "if (payment.amount == 0) revert Nothing();", "", 1)
  ]),
  ...noticedBy("a batch is for relayers only", [
    inVault("batches by anyone", "modifier batch() {\n        _checkRelayer();", "modifier batch() {"),
    inVault("single calls that know everyone", "msg.sender != address(this) && ", "msg.sender == address(0) && ")
  ]),
  ...noticedBy("a batch inside a batch is refused", [
    inVault("batches inside batches", "if (_inBatch) revert Reentered();", ""),
    inVault("a batch that is not recorded", "_inBatch = true;", "")
  ]),
  ...noticedBy("two batches in one transaction settle", [inVault("a batch that never ends", "_inBatch = false;", "")]),
  ...noticedBy("a batch makes only calls that collect", [
    inVault("batches of any call", "if (!_isCollect(bytes4(call)))", "if (call.length == 0)")
  ]),
  ...noticedBy("a batch collects in all five ways", [
    inVault("no batches of operations", "selector == this.collect.selector || ", ""),
    inVault("no batches of typed operations", "|| selector == this.collectTyped.selector", ""),
    inVault("no batches of authorizations", "|| selector == this.collectWithAuthorization.selector", ""),
    inVault("no batches with Permit2", "|| selector == this.collectWithPermit2.selector", ""),
    inVault("no batches of permits", "|| selector == this.collectWithPermit.selector", ""),
    inVault("single calls that do not know the vault", "msg.sender != address(this) && ", "")
  ]),
  ...noticedBy("a batch delivers each id once, and marks no other id", [
    inVault("deliveries that are refunds", "_tryAll(this.deliver.selector", "_tryAll(this.refund.selector"),
    inVault("a batch that ends with a failure", "return tried;", "return ok;"),
    inVault("failures without an event", "emit Failed(index, reason);", "ok = true;"),
    inVault("failures without a reason", "reason := mload(0)", ""),
    inVault("ids that are used twice", "if (bits & bit != 0) revert IdUsed();", ""),
    inVault("marks that forget their neighbours", "_used[word] = bits | bit;", "_used[word] = bit;"),
    inVault("marks that two words share", "= (uint256(swapId) >> 8, ", "= (uint256(swapId) >> 9, "),
    inVault("marks that two ids share", ", 1 << (uint256(swapId) & 0xff));", ", 1 << (uint256(swapId) & 0x7f));")
  ]),
  ...noticedBy("a batch refunds, within the limits of a relayer", [
    inVault("refunds that are deliveries", "_tryAll(this.refund.selector", "_tryAll(this.deliver.selector"),
    inVault("refunds without a limit in batches", "= msg.sender != owner();", "= msg.sender != owner() && !_inBatch;")
  ]),
  ...noticedBy("a pause inside a batch stops it", [
    inVault("items after a pause", "bool tried = _isActive[msg.sender];", "bool tried = true;"),
    inVault("a batch that stops without an event", "if (!tried) emit Stopped(index);", "if (!tried) return false;")
  ]),
  ...noticedBy("an item gets all of its gas, or is not tried", [
    inVault("items with any gas", "tried := and(tried, and(gt(left, BATCH_RESERVE), enough))", "enough := left"),
    inVault("items with 1/64 less gas", ", 63), 64), itemGas", ", 64), 64), itemGas"),
    inVault("a batch that keeps no gas", "BATCH_RESERVE = 5_000", "BATCH_RESERVE = 0")
  ]),
  ...noticedBy("a batch can report items that burned all of their gas", [
    inVault("a batch that keeps too little gas", "BATCH_RESERVE = 5_000", "BATCH_RESERVE = 1_000")
  ]),
  ...noticedBy("an item that burns its gas leaves the others theirs", [
    inVault("reasons of any length", "returndatacopy(0, 0, 4)", "returndatacopy(0, 0, returndatasize())"),
    inVault("items with all of the gas", "call(itemGas, address()", "call(gas(), address()")
  ]),
  ...noticedBy("a stranger takes a typed operation to the wallet", [
    inAccount("an account that anyone can call", "if (msg.sender != vault) revert NotVault();", "")
  ]),
  ...noticedBy("a relayer collects an expired typed operation", [
    inAccount("an account without deadlines", "if (block.timestamp > deadline) revert Expired();", "")
  ]),
  ...noticedBy("typed: collected twice", [inAccount("an account without nonces", "_use(op.nonce);", "")])
]
