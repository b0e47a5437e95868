/** Changes of the contracts that weaken them. Each has one check or one bound value less. */

export interface Mutant {
  readonly name: string
  readonly file: "GeoVault" | "GeoAccountV2"
  readonly from: string
  readonly to: string
  /** Which of several occurrences to replace (default: the only one). */
  readonly nth?: number
}

/** A mutant of the vault. */
const inVault = (name: string, from: string, to: string, nth?: number): Mutant => ({
  name,
  file: "GeoVault",
  from,
  to,
  ...(nth === undefined ? {} : { nth })
})

const inAccount = (name: string, from: string, to: string): Mutant => ({ name, file: "GeoAccountV2", from, to })

const notDelegated = "if (!isDelegate(_delegateOf(account))) revert NotDelegated();"
const parity = "uint8(27 + (uint256(vs) >> 255))"
const payment = "if (!LowLevelCall.callNoReturn(target, call)) LowLevelCall.bubbleRevert();"
const removal = "if (delegate == firstDelegate || delegate == secondDelegate) revert"

export const mutants: ReadonlyArray<Mutant> = [
  inVault("an order without its wallet", "TYPEHASH, account, block", "TYPEHASH, 0, block"),
  inVault("an order without its chain", "account, block.chainid,", "account, 1,"),
  inVault("an order without its id", "chainid, payment.orderId,", "chainid, bytes32(0),"),
  inVault(
    "an order without its terms",
    "chainid, payment.orderId, payment.terms",
    "chainid, payment.orderId, bytes32(0)"
  ),
  inVault("the order's id as the nonce", "nonce = _hashOrder(account, payment)", "nonce = payment.orderId"),
  inVault("nonces of Permit2 without a prefix", "PERMIT2_NONCES | index", "index"),
  inVault("Permit2 with another recipient", "{to: address(this),", "{to: account,"),
  inVault("a permit for the vault", "(account, PERMIT2,", "(account, address(this),"),
  inVault("a permit that has to succeed", "LowLevelCall.callNoReturn(\n", "require(LowLevelCall.callNoReturn(\n"),
  inVault("the wrong parity", parity, "uint8(28 - (uint256(vs) >> 255))"),
  inVault("always the same parity", parity, "27"),
  inVault("a payment that may fail", payment, "LowLevelCall.callNoReturn(target, call);"),
  inVault("no check of what arrived", "!= balance + amount", "< balance"),
  inVault("payments inside payments", "if (flow.word != word) revert Reentered();", ""),
  inVault("refunds inside payments", "if (flow.word != word)", "if (flow.word > word)"),
  inVault("no record for refunds", "_set(flow, hour, sum + (amount < room ? amount : room));", ""),
  inVault("an event without the terms", "account, token, amount, terms);", "account, token, amount, orderId);"),
  inVault("a second account that can be removed", removal, "if (delegate == firstDelegate) revert"),
  inVault("typed payments by anyone", "onlyRelayer {", "{", 1),
  inVault("authorizations by anyone", "onlyRelayer\n", "\n", 0),
  inVault("Permit2 by anyone", "onlyRelayer\n", "\n", 1),
  inVault("permits by anyone", "onlyRelayer {", "{", 2),
  inVault("typed payments without a delegation", notDelegated, "", 1),
  inVault("authorizations of zero", "if (payment.amount == 0) revert Nothing();", "", 0),
  inVault("Permit2 of zero", "if (payment.amount == 0) revert Nothing();", "", 1),
  inVault("batches by anyone", "modifier batch() {\n        _checkRelayer();", "modifier batch() {"),
  inVault("batches inside batches", "if (_inBatch) revert Reentered();", ""),
  inVault("a batch that is not recorded", "_inBatch = true;", ""),
  inVault("a batch that never ends", "_inBatch = false;", ""),
  inVault("batches of any call", "if (!_isCollect(bytes4(call)))", "if (call.length == 0)"),
  inVault("no batches of operations", "selector == this.collect.selector || ", ""),
  inVault("no batches of typed operations", "|| selector == this.collectTyped.selector", ""),
  inVault("no batches of authorizations", "|| selector == this.collectWithAuthorization.selector", ""),
  inVault("no batches with Permit2", "|| selector == this.collectWithPermit2.selector", ""),
  inVault("no batches of permits", "|| selector == this.collectWithPermit.selector", ""),
  inVault("deliveries that are refunds", "_tryAll(this.deliver.selector", "_tryAll(this.refund.selector"),
  inVault("refunds that are deliveries", "_tryAll(this.refund.selector", "_tryAll(this.deliver.selector"),
  inVault("refunds without a limit in batches", "= msg.sender != owner();", "= msg.sender != owner() && !_inBatch;"),
  inVault("single calls that do not know the vault", "msg.sender != address(this) && ", ""),
  inVault("single calls that know everyone", "msg.sender != address(this) && ", "msg.sender == address(0) && "),
  inVault("items after a pause", "bool tried = _isActive[msg.sender];", "bool tried = true;"),
  inVault("items with any gas", "tried := and(tried, and(gt(left, BATCH_RESERVE), enough))", "enough := left"),
  inVault("items with 1/64 less gas", ", 63), 64), itemGas", ", 64), 64), itemGas"),
  inVault("a batch that keeps no gas", "BATCH_RESERVE = 5_000", "BATCH_RESERVE = 0"),
  inVault("a batch that keeps too little gas", "BATCH_RESERVE = 5_000", "BATCH_RESERVE = 1_000"),
  inVault("items with all of the gas", "call(itemGas, address()", "call(gas(), address()"),
  inVault("reasons of any length", "returndatacopy(0, 0, 4)", "returndatacopy(data, 0, returndatasize())"),
  inVault("a batch that ends with a failure", "return tried;", "return ok;"),
  inVault("failures without an event", "emit Failed(index, reason);", "ok = true;"),
  inVault("failures without a reason", "reason := mload(0)", ""),
  inVault("a batch that stops without an event", "if (!tried) emit Stopped(index);", "if (!tried) return false;"),
  inVault("ids that are used twice", "if (bits & bit != 0) revert IdUsed();", ""),
  inVault("marks that forget their neighbours", "_used[word] = bits | bit;", "_used[word] = bit;"),
  inVault("marks that two words share", "= (uint256(swapId) >> 8, ", "= (uint256(swapId) >> 9, "),
  inVault("marks that two ids share", ", 1 << (uint256(swapId) & 0xff));", ", 1 << (uint256(swapId) & 0x7f));"),
  inAccount("an account that anyone can call", "if (msg.sender != vault) revert NotVault();", ""),
  inAccount("an account without deadlines", "if (block.timestamp > op.deadline) revert Expired();", ""),
  inAccount("an account that accepts any signer", " || signer != address(this)", ""),
  inAccount("an account without nonces", "_use(op.nonce);", ""),
  inAccount(
    "an account that adds the prefix",
    "tryRecover(digestOf(op),",
    "tryRecover(MessageHashUtils.toEthSignedMessageHash(digestOf(op)),"
  ),
  inAccount("an operation without its wallet", "GEO_OP_TYPEHASH, address(this),", "GEO_OP_TYPEHASH, address(0),"),
  inAccount("an operation without its chain", "block.chainid, delegate", "uint256(1), delegate")
]
