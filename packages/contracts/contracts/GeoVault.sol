// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IERC3009} from "@openzeppelin/contracts/interfaces/draft-IERC3009.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Errors} from "@openzeppelin/contracts/utils/Errors.sol";
import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {GeoAccount} from "./GeoAccount.sol";
import {GeoOp} from "./GeoOp.sol";
import {GeoPayment} from "./GeoPayment.sol";
import {IGeoAccount} from "./IGeoAccount.sol";
import {IPermit2} from "./IPermit2.sol";

/// @title The vault that receives inputs and sends outputs
/// @notice Relayers collect inputs that wallets signed, deliver outputs and refund inputs. Each swap is paid once.
/// Deliveries and refunds have separate caps per token and clock hour, so that refunds cannot stop deliveries. Refunds
/// are also limited by recent collections. The owner sets the caps and can withdraw the inventory.
/// @dev Error names are only hints: a token can revert with any of them. The results of `isUsed` and the events of this
/// address are facts.
contract GeoVault is Ownable2Step {
    using SafeERC20 for IERC20;

    /// @notice The input of an order arrived.
    /// @param orderId The service's id of the swap, as the wallet signed it. It is not unique here: one wallet can sign it
    /// twice with two nonces, and two wallets can sign the same id.
    /// @param account The wallet that paid.
    /// @param token The token that it paid with.
    /// @param amount The amount that arrived, in smallest units.
    /// @param terms The hash of the output that the wallet gets.
    event Collected(bytes32 indexed orderId, address indexed account, address token, uint256 amount, bytes32 terms);
    /// @notice The output of a swap was sent.
    /// @param swapId The swap.
    /// @param to The recipient.
    /// @param token The token, or zero for the native token.
    /// @param amount The amount in smallest units.
    event Delivered(bytes32 indexed swapId, address indexed to, address indexed token, uint256 amount);
    /// @notice The input of a swap was refunded.
    /// @param swapId The swap.
    /// @param to The recipient.
    /// @param token The token, or zero for the native token.
    /// @param amount The amount in smallest units.
    event Refunded(bytes32 indexed swapId, address indexed to, address indexed token, uint256 amount);
    /// @notice An item of a batch failed and had no effect. This is a hint and decides nothing: the swap can be paid by
    /// another item, another transaction, or the same item with more gas.
    /// @param index The position in the batch.
    /// @param reason The first 4 bytes that the item reverted with, or zero.
    event Failed(uint256 indexed index, bytes4 reason);
    /// @notice A batch ended early, because too little gas was left or the caller is no longer an active relayer.
    /// @param index The position of the first item that was not tried. All later ones were not tried either.
    event Stopped(uint256 index);
    /// @notice The owner withdrew inventory.
    /// @param to The recipient.
    /// @param token The token, or zero for the native token.
    /// @param amount The amount in smallest units.
    event Withdrawn(address indexed to, address indexed token, uint256 amount);
    /// @notice An account contract was added or removed.
    /// @param delegate The contract.
    /// @param allowed Whether wallets that delegate to it can pay.
    event DelegateSet(address indexed delegate, bool allowed);
    /// @notice A relayer, which may collect, deliver and refund, was added or removed.
    /// @param relayer The address.
    /// @param allowed Whether it may.
    event RelayerSet(address indexed relayer, bool allowed);
    /// @notice A guardian, who may pause, was added or removed.
    /// @param guardian The address.
    /// @param allowed Whether it may.
    event GuardianSet(address indexed guardian, bool allowed);
    /// @notice The delivery cap of a token changed.
    /// @param token The token, or zero for the native token.
    /// @param perHour The cap in smallest units.
    event CapSet(address indexed token, uint256 perHour);
    /// @notice The refund cap of a token changed.
    /// @param token The token.
    /// @param perHour The cap in smallest units, as set: the delivery cap applies too.
    event RefundCapSet(address indexed token, uint256 perHour);
    /// @notice The vault was paused: relayers can do nothing until it is unpaused.
    /// @param by The owner or guardian who paused.
    event Paused(address indexed by);
    /// @notice The vault was unpaused.
    /// @param by The owner.
    event Unpaused(address indexed by);

    /// @notice The caller is not allowed to do this.
    error NotAllowed();
    /// @notice The vault is paused.
    error IsPaused();
    /// @notice The wallet does not delegate to an account contract of this vault.
    error NotDelegated();
    /// @notice The amount that arrived is not the signed amount.
    error WrongAmount();
    /// @notice The swap is already delivered or refunded.
    error IdUsed();
    /// @notice The amount exceeds what relayers may deliver, or refund, of this token in this hour.
    error CapExceeded();
    /// @notice The refund exceeds what was collected of this token in this hour and the two before and is not refunded
    /// yet. Only the owner can make this refund.
    error ExceedsCollected();
    /// @notice The maximum number of relayers is reached.
    error TooManyRelayers();
    /// @notice The contract is not an account of this vault, or it is the one that cannot be removed.
    error WrongDelegate();
    /// @notice Another payment of the token was collected while this one was, or a batch was started inside a batch.
    error Reentered();
    /// @notice The recipient did not accept the native tokens within its gas limit.
    error Undeliverable();
    /// @notice The amount is zero, or the recipient is the zero address or the vault itself.
    error Nothing();

    /// @notice An item of `deliverMany` or `refundMany`.
    /// @param swapId The swap.
    /// @param token The token, or zero for the native token.
    /// @param to The recipient.
    /// @param amount The amount in smallest units.
    struct Transfer {
        bytes32 swapId;
        address token;
        address to;
        uint256 amount;
    }

    /// @dev An amount of one clock hour, in one word: the hour, and the amount in the lower 216 bits.
    struct Flow {
        uint256 word;
    }

    /// @dev The number of clock hours in which relayers can refund an input, including the hour of its arrival.
    uint256 private constant REFUND_HOURS = 3;

    /// @dev The maximum number of relayers, which keeps pausing cheap.
    uint256 private constant MAX_RELAYERS = 32;

    /// @dev The gas for a recipient of native tokens, in addition to the stipend: enough for contract wallets, and a limit
    /// for the cost of a delivery.
    uint256 private constant RECEIVE_GAS = 100_000;

    /// @dev The gas that a batch keeps when it calls an item: enough for the events that may follow, even if the item uses
    /// all of its gas.
    uint256 private constant BATCH_RESERVE = 5_000;

    /// @dev Stands for the native token.
    address private constant NATIVE = address(0);

    /// @dev Uniswap's Permit2, at the same address on every chain.
    address private constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;

    /// @dev The part of Permit2's nonces that is ours: keccak256("geoswap.permit2") without its lowest 64 bits.
    uint256 private constant PERMIT2_NONCES = uint256(keccak256("geoswap.permit2")) & ~uint256(type(uint64).max);

    /// @dev The type of an order and of what follows it in Permit2's message, in alphabetical order.
    string private constant WITNESS_TYPE = "GeoOrder witness)"
        "GeoOrder(address wallet,uint256 chainId,bytes32 orderId,Terms terms)"
        "Terms(uint256 destinationChain,bytes32 outputToken,bytes32 recipient,uint256 minOutput)"
        "TokenPermissions(address token,uint256 amount)";

    bytes32 private constant GEO_ORDER_TYPEHASH = keccak256(
        "GeoOrder(address wallet,uint256 chainId,bytes32 orderId,Terms terms)"
        "Terms(uint256 destinationChain,bytes32 outputToken,bytes32 recipient,uint256 minOutput)"
    );

    /// @notice The account contract that wallets delegate to, deployed with the vault.
    address public immutable delegate;

    /// @notice Whether the vault is paused, so that relayers can do nothing.
    bool public paused;

    /// @dev The account contracts that were added later.
    mapping(address account => bool) private _isLaterDelegate;
    /// @dev The relayers that may act now. Pausing clears it, so that one slot covers both the role and the pause.
    mapping(address relayer => bool) private _isActive;
    /// @dev All relayers, paused or not. The list is short, because pausing visits each of them.
    address[] private _relayers;
    /// @notice The addresses that may pause, in addition to the owner.
    mapping(address guardian => bool) public isGuardian;
    /// @notice The amount of a token that relayers may deliver in a clock hour (default: 0).
    mapping(address token => uint256) public capOf;
    /// @dev The complement (~) of a token's refund cap, so that the default is 2^256 - 1 and 0 can be set.
    mapping(address token => uint256) private _refundCapComplement;
    /// @dev A bit for each swap id that was delivered or refunded here. The word and the bit together are the whole id, so
    /// that no two ids share a bit. Ids with the same first 31 bytes share a word, which makes their marks cheaper.
    mapping(uint256 word => uint256 bits) private _used;

    /// @dev Deliveries in the last hour with deliveries.
    mapping(address token => Flow) private _delivered;
    /// @dev Refunds by relayers in the last hour with refunds.
    mapping(address token => Flow) private _refunded;
    /// @dev The amount that was collected in an hour and is not refunded yet, at the index hour modulo length.
    mapping(address token => Flow[REFUND_HOURS]) private _collected;

    /// @dev Whether a batch is running in this transaction.
    bool private transient _inBatch;

    /// @dev An active relayer, or the vault itself, which is an item of a relayer's batch.
    modifier onlyRelayer() {
        _checkRelayer();
        _;
    }

    /// @dev For a relayer's batch. Items can make single calls, but not another batch.
    modifier batch() {
        _checkRelayer();
        if (_inBatch) revert Reentered();
        _inBatch = true;
        _;
        _inBatch = false;
    }

    /// @param owner_ The owner, who sets roles and caps. The owner is not a relayer unless added.
    constructor(address owner_) Ownable(owner_) {
        delegate = address(new GeoAccount(address(this)));
        emit DelegateSet(delegate, true);
    }

    /// @notice The vault holds native tokens to deliver.
    receive() external payable {}

    /// @notice Collects the input of an order from the wallet that signed it. Other transfers to the vault are not inputs.
    /// @dev Relayers only: the service would not notice an order that another address collects. Caps are not checked,
    /// which saves gas: an input above the refund cap of its token is accepted, and relayers cannot refund it. The owner
    /// can, and the service must not quote such an input.
    /// @param account The wallet, which must delegate to an account contract of this vault.
    /// @param op The operation.
    /// @param r The first half of the wallet's personal_sign over the 32 bytes of the operation's digest.
    /// @param vs The second half with the parity in its highest bit (EIP-2098).
    function collect(address account, GeoOp calldata op, bytes32 r, bytes32 vs) external onlyRelayer {
        (r, vs); // They are part of the arguments of `pay`, which are those of this function without the account.
        if (op.amount == 0) revert Nothing();
        if (!isDelegate(_delegateOf(account))) revert NotDelegated();
        bytes memory call = bytes.concat(IGeoAccount.pay.selector, msg.data[36:292]);
        _collect(account, call, account, op.token, op.amount, op.orderId, op.terms);
    }

    /// @notice Like `collect`, for an operation that the wallet signed as typed data.
    /// @param account The wallet, which must delegate to an account contract of this vault.
    /// @param op The operation.
    /// @param r The first half of the wallet's signature of the typed data.
    /// @param vs The second half with the parity in its highest bit (EIP-2098).
    function collectTyped(address account, GeoOp calldata op, bytes32 r, bytes32 vs) external onlyRelayer {
        (r, vs); // As above.
        if (op.amount == 0) revert Nothing();
        if (!isDelegate(_delegateOf(account))) revert NotDelegated();
        bytes memory call = bytes.concat(IGeoAccount.payTyped.selector, msg.data[36:292]);
        _collect(account, call, account, op.token, op.amount, op.orderId, op.terms);
    }

    /// @notice Collects the input of an order in a token with EIP-3009, from a wallet that does not delegate.
    /// @dev The nonce of the authorization is the hash of the order, so that it is valid for no other order. The token
    /// requires that its caller is the recipient, so that only this vault can use the authorization.
    /// @param account The wallet.
    /// @param payment The payment.
    /// @param r The first half of the wallet's signature of the token's `ReceiveWithAuthorization`.
    /// @param vs The second half with the parity in its highest bit (EIP-2098).
    function collectWithAuthorization(address account, GeoPayment calldata payment, bytes32 r, bytes32 vs)
        external
        onlyRelayer
    {
        if (payment.amount == 0) revert Nothing();
        bytes32 nonce = _hashOrder(account, payment);
        (uint8 v, bytes32 s) = _split(vs);
        bytes memory call = abi.encodeCall(
            IERC3009.receiveWithAuthorization,
            (account, address(this), payment.amount, 0, payment.deadline, nonce, v, r, s)
        );
        _collect(payment.token, call, account, payment.token, payment.amount, payment.orderId, payment.terms);
    }

    /// @notice Collects the input of an order through Permit2, from a wallet that approved Permit2.
    /// @param account The wallet.
    /// @param payment The payment.
    /// @param index The index of the nonce, in the part of Permit2's nonces that is ours.
    /// @param r The first half of the wallet's signature of Permit2's `PermitWitnessTransferFrom`.
    /// @param vs The second half with the parity in its highest bit (EIP-2098).
    function collectWithPermit2(address account, GeoPayment calldata payment, uint64 index, bytes32 r, bytes32 vs)
        external
        onlyRelayer
    {
        _collectWithPermit2(account, payment, index, r, vs);
    }

    /// @notice Like `collectWithPermit2`, after an approval of Permit2 for exactly the amount, by ERC-2612.
    /// @dev The approval is not the payment: anyone could submit a permit, and it says nothing about the order. If someone
    /// already did, the call to the token fails here and the approval exists.
    /// @param account The wallet.
    /// @param payment The payment.
    /// @param index The index of the nonce, in the part of Permit2's nonces that is ours.
    /// @param r The first half of the wallet's signature of Permit2's `PermitWitnessTransferFrom`.
    /// @param vs The second half with the parity in its highest bit (EIP-2098).
    /// @param permitR The first half of the wallet's signature of the token's `Permit`.
    /// @param permitVs The second half with the parity in its highest bit (EIP-2098).
    function collectWithPermit(
        address account,
        GeoPayment calldata payment,
        uint64 index,
        bytes32 r,
        bytes32 vs,
        bytes32 permitR,
        bytes32 permitVs
    ) external onlyRelayer {
        (uint8 v, bytes32 s) = _split(permitVs);
        // The result does not matter and is not copied: without the approval, the payment fails.
        LowLevelCall.callNoReturn(
            payment.token,
            abi.encodeCall(
                IERC20Permit.permit, (account, PERMIT2, payment.amount, payment.deadline, v, permitR, s)
            )
        );
        _collectWithPermit2(account, payment, index, r, vs);
    }

    /// @notice Sends the output of a swap, once per swap.
    /// @param swapId The swap.
    /// @param token The token, or zero for the native token.
    /// @param to The recipient.
    /// @param amount The amount in smallest units.
    function deliver(bytes32 swapId, address token, address to, uint256 amount) external onlyRelayer {
        emit Delivered(swapId, to, token, amount);
        _use(swapId);
        _count(_delivered[token], capOf[token], amount);
        _send(token, to, amount);
    }

    /// @notice Refunds the input of a swap, once per swap. Relayers may refund up to `refundable`, unless paused. The owner
    /// may refund any amount at any time, which does not reduce `refundable`. Either way the swap is marked as used, so
    /// that it is not paid again.
    /// @param swapId The swap.
    /// @param token The token.
    /// @param to The wallet that paid.
    /// @param amount The amount in smallest units.
    function refund(bytes32 swapId, address token, address to, uint256 amount) external {
        bool bounded = msg.sender != owner();
        if (bounded) _checkRelayer();
        emit Refunded(swapId, to, token, amount);
        _use(swapId);
        if (bounded) {
            _count(_refunded[token], refundCapOf(token), amount);
            _takeCollected(token, amount);
        }
        _send(token, to, amount);
    }

    /// @notice Collects several orders. An order that fails does not affect the others.
    /// @dev Only the five selectors are called: the vault must not call its other functions, such as `acceptOwnership`.
    /// @param calls The calldata of one collect function each.
    /// @param itemGas The gas for each order.
    function collectMany(bytes[] calldata calls, uint256 itemGas) external batch {
        for (uint256 i = 0; i < calls.length; i++) {
            bytes calldata call = calls[i];
            if (!_isCollect(bytes4(call))) emit Failed(i, NotAllowed.selector);
            else if (!_try(i, bytes4(call), call[4:], itemGas)) return;
        }
    }

    /// @notice Sends the outputs of several swaps. A delivery that fails does not affect the others.
    /// @param items The arguments of `deliver`.
    /// @param itemGas The gas for each delivery.
    function deliverMany(Transfer[] calldata items, uint256 itemGas) external batch {
        _tryAll(this.deliver.selector, items, itemGas);
    }

    /// @notice Refunds the inputs of several swaps, limited like every refund of a relayer. A refund that fails does not
    /// affect the others.
    /// @param items The arguments of `refund`.
    /// @param itemGas The gas for each refund.
    function refundMany(Transfer[] calldata items, uint256 itemGas) external batch {
        _tryAll(this.refund.selector, items, itemGas);
    }

    /// @notice Withdraws inventory, paused or not.
    /// @param token The token, or zero for the native token.
    /// @param to The recipient.
    /// @param amount The amount in smallest units.
    function withdraw(address token, address to, uint256 amount) external onlyOwner {
        emit Withdrawn(to, token, amount);
        _send(token, to, amount);
    }

    /// @notice Adds or removes another account contract. The one deployed with the vault cannot be removed.
    /// @dev Only a contract whose `vault` is this vault can be added, and not a wallet that delegates to one: its key could
    /// change the code later. The owner has to know what else the code does.
    /// @param account The contract that wallets delegate to.
    /// @param allowed Whether wallets that delegate to it can pay.
    function setDelegate(address account, bool allowed) external onlyOwner {
        if (account == delegate) revert WrongDelegate();
        if (allowed && (_delegateOf(account) != address(0) || !_namesThis(account))) revert WrongDelegate();
        _isLaterDelegate[account] = allowed;
        emit DelegateSet(account, allowed);
    }

    /// @notice Adds or removes a relayer.
    /// @param relayer The address that sends the service's transactions.
    /// @param allowed Whether it may.
    function setRelayer(address relayer, bool allowed) external onlyOwner {
        if (allowed == isRelayer(relayer)) return;
        if (allowed) {
            if (_relayers.length == MAX_RELAYERS) revert TooManyRelayers();
            _relayers.push(relayer);
        } else {
            uint256 last = _relayers.length - 1;
            for (uint256 i = 0; i < last; i++) {
                if (_relayers[i] == relayer) _relayers[i] = _relayers[last];
            }
            _relayers.pop();
        }
        _isActive[relayer] = allowed && !paused;
        emit RelayerSet(relayer, allowed);
    }

    /// @notice Adds or removes a guardian, who can pause.
    /// @param guardian The address.
    /// @param allowed Whether it may.
    function setGuardian(address guardian, bool allowed) external onlyOwner {
        isGuardian[guardian] = allowed;
        emit GuardianSet(guardian, allowed);
    }

    /// @notice Limits the amount of a token that relayers may deliver in a clock hour. Refunds have a separate cap of the
    /// same size until `setRefundCap` sets a smaller one.
    /// @param token The token, or zero for the native token.
    /// @param perHour The cap in smallest units; 0 stops deliveries and refunds of the token.
    function setCap(address token, uint256 perHour) external onlyOwner {
        capOf[token] = perHour;
        // Initializes the slots that `collect` writes to, so that it costs the same in every hour. A gas estimate from
        // before the full hour is then enough after it.
        Flow[REFUND_HOURS] storage flows = _collected[token];
        for (uint256 i = 0; i < REFUND_HOURS; i++) {
            if (flows[i].word == 0) flows[i].word = 1 << 216;
        }
        emit CapSet(token, perHour);
    }

    /// @notice Limits the amount of a token that relayers may refund in a clock hour. If the cap is below the largest
    /// input, only the owner can refund such inputs.
    /// @param token The token.
    /// @param perHour The cap in smallest units. 0 stops refunds by relayers. A value above the delivery cap has no effect,
    /// so 2^256 - 1 removes an earlier cap.
    function setRefundCap(address token, uint256 perHour) external onlyOwner {
        _refundCapComplement[token] = ~perHour;
        emit RefundCapSet(token, perHour);
    }

    /// @notice Stops all relayers.
    function pause() external {
        if (msg.sender != owner() && !isGuardian[msg.sender]) revert NotAllowed();
        _setPaused(true);
        emit Paused(msg.sender);
    }

    /// @notice Allows relayers to act again. Only the owner can do this.
    function unpause() external onlyOwner {
        _setPaused(false);
        emit Unpaused(msg.sender);
    }

    /// @notice Always reverts: without an owner, the vault could not be unpaused and the inventory would be lost.
    function renounceOwnership() public pure override {
        revert NotAllowed();
    }

    /// @notice Whether an address may collect, deliver and refund while the vault is not paused.
    /// @param relayer The address.
    /// @return Whether it is a relayer.
    function isRelayer(address relayer) public view returns (bool) {
        uint256 count = _relayers.length;
        for (uint256 i = 0; i < count; i++) {
            if (_relayers[i] == relayer) return true;
        }
        return false;
    }

    /// @notice The addresses that may collect, deliver and refund while the vault is not paused.
    /// @return All relayers, in no particular order.
    function relayers() external view returns (address[] memory) {
        return _relayers;
    }

    /// @notice Whether a swap was delivered or refunded here.
    /// @param swapId The swap.
    /// @return Whether it was.
    function isUsed(bytes32 swapId) external view returns (bool) {
        return _used[uint256(swapId) >> 8] & (1 << (uint256(swapId) & 0xff)) != 0;
    }

    /// @notice Whether wallets that delegate to a contract can pay.
    /// @param account The contract.
    /// @return Whether it is an account contract of this vault.
    function isDelegate(address account) public view returns (bool) {
        return account == delegate || _isLaterDelegate[account];
    }

    /// @notice The amount of a token that relayers may refund in a clock hour: the refund cap, but at most the delivery
    /// cap.
    /// @param token The token.
    /// @return The amount in smallest units.
    function refundCapOf(address token) public view returns (uint256) {
        return Math.min(capOf[token], ~_refundCapComplement[token]);
    }

    /// @notice The amount of a token that relayers delivered in the current clock hour, without refunds.
    /// @param token The token, or zero for the native token.
    /// @return The sum in smallest units.
    function sentThisHour(address token) external view returns (uint256) {
        return _amountIn(_delivered[token], _hour());
    }

    /// @notice The amount of a token that relayers refunded in the current clock hour, without the owner's refunds.
    /// @param token The token.
    /// @return The sum in smallest units.
    function refundedThisHour(address token) external view returns (uint256) {
        return _amountIn(_refunded[token], _hour());
    }

    /// @notice The amount of a token that relayers may still refund in the current clock hour: the rest of the refund cap,
    /// but at most what was collected in this hour and the two before and is not refunded yet.
    /// @param token The token.
    /// @return The amount in smallest units, whether or not the vault is paused.
    function refundable(address token) external view returns (uint256) {
        uint256 hour = _hour();
        uint256 collected = 0;
        for (uint256 i = 0; i < REFUND_HOURS; i++) {
            collected += _amountIn(_collected[token][(hour - i) % REFUND_HOURS], hour - i);
        }
        uint256 left = Math.saturatingSub(refundCapOf(token), _amountIn(_refunded[token], hour));
        return Math.min(left, collected);
    }

    function _tryAll(bytes4 selector, Transfer[] calldata items, uint256 itemGas) private {
        for (uint256 i = 0; i < items.length; i++) {
            Transfer calldata item = items[i];
            bytes calldata args;
            assembly ("memory-safe") {
                args.offset := item
                args.length := 128
            }
            if (!_try(i, selector, args, itemGas)) return;
        }
    }

    /// @dev Makes one call of a batch, to this vault, with exactly the gas for an item: a failure undoes only that call. If
    /// less gas were left, the call would get less without notice (EIP-150), so that the batch stops instead. Nothing of
    /// what the call returns is read, except the first 4 bytes of a failure.
    /// @return Whether to continue with the next item.
    function _try(uint256 index, bytes4 selector, bytes calldata args, uint256 itemGas) private returns (bool) {
        bool tried = _isActive[msg.sender];
        bool ok;
        bytes4 reason;
        assembly ("memory-safe") {
            // Each item overwrites the one before. The copy is made first, so that its cost is not part of the reserve.
            let data := mload(0x40)
            mstore(data, selector)
            calldatacopy(add(data, 4), args.offset, args.length)
            let left := gas()
            let enough := iszero(lt(div(mul(sub(left, BATCH_RESERVE), 63), 64), itemGas))
            tried := and(tried, and(gt(left, BATCH_RESERVE), enough))
            if tried {
                ok := call(itemGas, address(), 0, data, add(args.length, 4), 0, 0)
                if iszero(ok) {
                    mstore(0, 0)
                    if gt(returndatasize(), 3) { returndatacopy(0, 0, 4) }
                    reason := mload(0)
                }
            }
        }
        if (!tried) emit Stopped(index);
        else if (!ok) emit Failed(index, reason);
        return tried;
    }

    function _isCollect(bytes4 selector) private pure returns (bool) {
        return selector == this.collect.selector || selector == this.collectTyped.selector
            || selector == this.collectWithAuthorization.selector || selector == this.collectWithPermit2.selector
            || selector == this.collectWithPermit.selector;
    }

    function _collectWithPermit2(address account, GeoPayment calldata payment, uint64 index, bytes32 r, bytes32 vs)
        private
    {
        if (payment.amount == 0) revert Nothing();
        (uint8 v, bytes32 s) = _split(vs);
        bytes memory call = abi.encodeCall(
            IPermit2.permitWitnessTransferFrom,
            (
                IPermit2.PermitTransferFrom({
                    permitted: IPermit2.TokenPermissions({token: payment.token, amount: payment.amount}),
                    nonce: PERMIT2_NONCES | index,
                    deadline: payment.deadline
                }),
                IPermit2.SignatureTransferDetails({to: address(this), requestedAmount: payment.amount}),
                account,
                _hashOrder(account, payment),
                WITNESS_TYPE,
                abi.encodePacked(r, s, v)
            )
        );
        _collect(PERMIT2, call, account, payment.token, payment.amount, payment.orderId, payment.terms);
    }

    /// @dev Makes the one call that pays, checks that the amount arrived, and records it. An excess over the slot's maximum
    /// is ignored: a payment must not fail because of it, and the owner can refund it. If the call collected another
    /// payment of the token, both would claim the same tokens. The role of a relayer does not prevent that, because the
    /// account of a relayer can have code (EIP-7702).
    function _collect(
        address target,
        bytes memory call,
        address account,
        address token,
        uint256 amount,
        bytes32 orderId,
        bytes32 terms
    ) private {
        uint256 hour = _hour();
        Flow storage flow = _collected[token][hour % REFUND_HOURS];
        uint256 word = flow.word;
        uint256 balance = IERC20(token).balanceOf(address(this));
        if (!LowLevelCall.callNoReturn(target, call)) LowLevelCall.bubbleRevert();
        if (IERC20(token).balanceOf(address(this)) != balance + amount) revert WrongAmount();
        if (flow.word != word) revert Reentered();
        uint256 sum = _amountOf(word, hour);
        unchecked {
            uint256 room = type(uint216).max - sum;
            _set(flow, hour, sum + (amount < room ? amount : room));
        }
        emit Collected(orderId, account, token, amount, terms);
    }

    /// @dev The EIP-712 hash of an order. The wallet and the chain are never parameters of a relayer's choice: the wallet
    /// is the one that pays.
    function _hashOrder(address account, GeoPayment calldata payment) private view returns (bytes32) {
        return keccak256(abi.encode(GEO_ORDER_TYPEHASH, account, block.chainid, payment.orderId, payment.terms));
    }

    /// @dev The second half of a signature (EIP-2098) as v and s, which is always low enough for 255 bits.
    function _split(bytes32 vs) private pure returns (uint8 v, bytes32 s) {
        s = vs & bytes32(uint256(type(int256).max));
        v = uint8(27 + (uint256(vs) >> 255));
    }

    function _setPaused(bool paused_) private {
        paused = paused_;
        uint256 count = _relayers.length;
        for (uint256 i = 0; i < count; i++) {
            _isActive[_relayers[i]] = !paused_;
        }
    }

    /// @dev Reads one slot in the usual case: an active relayer implies that the vault is not paused.
    function _checkRelayer() private view {
        if (msg.sender != address(this) && !_isActive[msg.sender]) {
            if (paused) revert IsPaused();
            revert NotAllowed();
        }
    }

    /// @dev Called before anything is sent: if a recipient calls back, its id is already used.
    function _use(bytes32 swapId) private {
        (uint256 word, uint256 bit) = (uint256(swapId) >> 8, 1 << (uint256(swapId) & 0xff));
        uint256 bits = _used[word];
        if (bits & bit != 0) revert IdUsed();
        _used[word] = bits | bit;
    }

    function _hour() private view returns (uint256) {
        return block.timestamp / 1 hours;
    }

    function _amountIn(Flow storage flow, uint256 hour) private view returns (uint256) {
        return _amountOf(flow.word, hour);
    }

    function _amountOf(uint256 word, uint256 hour) private pure returns (uint256) {
        return word >> 216 == hour ? word & type(uint216).max : 0;
    }

    function _set(Flow storage flow, uint256 hour, uint256 amount) private {
        flow.word = hour << 216 | amount;
    }

    /// @dev Adds to the amount of this hour. Called before anything is sent, for the same reason as above.
    function _count(Flow storage flow, uint256 cap, uint256 amount) private {
        uint256 hour = _hour();
        uint256 sum = _amountIn(flow, hour);
        unchecked {
            if (sum > cap || amount > cap - sum || amount > type(uint216).max - sum) revert CapExceeded();
            _set(flow, hour, sum + amount);
        }
    }

    /// @dev Subtracts a refund from the collected amounts, oldest hour first, so that refunds of old inputs do not use up
    /// later collections.
    function _takeCollected(address token, uint256 amount) private {
        uint256 current = _hour();
        for (uint256 hour = current + 1 - REFUND_HOURS; amount > 0 && hour <= current; hour++) {
            Flow storage flow = _collected[token][hour % REFUND_HOURS];
            uint256 left = _amountIn(flow, hour);
            if (left == 0) continue;
            uint256 taken = Math.min(left, amount);
            _set(flow, hour, left - taken);
            amount -= taken;
        }
        if (amount > 0) revert ExceedsCollected();
    }

    /// @dev The return data of a recipient of native tokens is not read, so that it can neither choose the error that the
    /// service sees nor make us pay for long return data.
    function _send(address token, address to, uint256 amount) private {
        if (amount == 0 || to == address(0) || to == address(this)) revert Nothing();
        if (token != NATIVE) return IERC20(token).safeTransfer(to, amount);
        uint256 balance = address(this).balance;
        if (balance < amount) revert Errors.InsufficientBalance(balance, amount);
        bool taken;
        assembly ("memory-safe") {
            taken := call(RECEIVE_GAS, to, amount, 0, 0, 0, 0)
        }
        if (!taken) revert Undeliverable();
    }

    /// @dev Whether `vault` of a contract returns this vault. Any other result, or a revert, means no.
    function _namesThis(address account) private view returns (bool) {
        (bool ok, bytes32 named,) =
            LowLevelCall.staticcallReturn64Bytes(account, abi.encodeCall(IGeoAccount.vault, ()));
        return ok && LowLevelCall.returnDataSize() >= 32 && named == bytes32(uint256(uint160(address(this))));
    }

    /// @dev The contract that an account delegates to (EIP-7702): its code is then 0xef0100 and an address. Zero for any
    /// other account.
    function _delegateOf(address account) private view returns (address found) {
        assembly ("memory-safe") {
            if eq(extcodesize(account), 23) {
                extcodecopy(account, 0, 0, 23)
                let code := mload(0)
                if eq(shr(232, code), 0xef0100) { found := shr(96, shl(24, code)) }
            }
        }
    }
}
