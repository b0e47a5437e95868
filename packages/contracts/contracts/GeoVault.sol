// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Errors} from "@openzeppelin/contracts/utils/Errors.sol";
import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {GeoAccount} from "./GeoAccount.sol";
import {GeoOp} from "./GeoOp.sol";
import {IGeoAccount} from "./IGeoAccount.sol";

/// @title Where inputs arrive and outputs come from
/// @notice Relayers collect what wallets signed, deliver outputs and refund inputs. Each swap is paid once. Deliveries
/// and refunds have separate bounds per token and clock hour, so that refunds cannot stop deliveries. Refunds are also
/// bounded by what was collected recently. The owner sets the bounds and can take the inventory.
/// @dev The names of errors are hints for people: a token can revert with any of them. What `isUsed` says and what the
/// events of this address say are facts.
contract GeoVault is Ownable2Step {
    using SafeERC20 for IERC20;

    /// @notice The input of an order arrived.
    /// @param orderId The service's name for the swap, as the wallet signed it. Not unique here: a wallet can sign one
    /// twice with two nonces, and so can two wallets.
    /// @param account The wallet that paid.
    /// @param token What it paid with.
    /// @param amount How much arrived, in smallest units.
    /// @param terms The hash of what the wallet gets for it.
    event Collected(bytes32 indexed orderId, address indexed account, address token, uint256 amount, bytes32 terms);
    /// @notice The output of a swap left.
    /// @param swapId The swap.
    /// @param to Who got it.
    /// @param token The token, or zero for the native one.
    /// @param amount How much, in smallest units.
    event Delivered(bytes32 indexed swapId, address indexed to, address indexed token, uint256 amount);
    /// @notice The input of a swap went back.
    /// @param swapId The swap.
    /// @param to Who got it.
    /// @param token The token, or zero for the native one.
    /// @param amount How much, in smallest units.
    event Refunded(bytes32 indexed swapId, address indexed to, address indexed token, uint256 amount);
    /// @notice The owner took inventory out.
    /// @param to Who got it.
    /// @param token The token, or zero for the native one.
    /// @param amount How much, in smallest units.
    event Withdrawn(address indexed to, address indexed token, uint256 amount);
    /// @notice A contract is a version of the account, or is none any more.
    /// @param delegate The contract.
    /// @param allowed Whether wallets that are delegated to it can pay.
    event DelegateSet(address indexed delegate, bool allowed);
    /// @notice An address may collect, deliver and refund, or may not any more.
    /// @param relayer The address.
    /// @param allowed Whether it may.
    event RelayerSet(address indexed relayer, bool allowed);
    /// @notice An address may pause, or may not any more.
    /// @param guardian The address.
    /// @param allowed Whether it may.
    event GuardianSet(address indexed guardian, bool allowed);
    /// @notice The cap of a token's deliveries changed.
    /// @param token The token, or zero for the native one.
    /// @param perHour The bound in smallest units.
    event CapSet(address indexed token, uint256 perHour);
    /// @notice The cap of a token's refunds changed.
    /// @param token The token.
    /// @param perHour The bound in smallest units, as it was set: the cap of deliveries applies too.
    event RefundCapSet(address indexed token, uint256 perHour);
    /// @notice Nothing goes in or out by relayers until it is unpaused.
    /// @param by The owner or guardian who paused.
    event Paused(address indexed by);
    /// @notice Relayers may go on.
    /// @param by The owner.
    event Unpaused(address indexed by);

    /// @notice The caller may not do that.
    error NotAllowed();
    /// @notice The vault is paused.
    error IsPaused();
    /// @notice The wallet's code is not one of our delegates.
    error NotDelegated();
    /// @notice What arrived is not what was signed.
    error WrongAmount();
    /// @notice The swap was delivered or refunded already.
    error IdUsed();
    /// @notice More than relayers may deliver, or refund, of this token in this hour.
    error CapExceeded();
    /// @notice More than was collected of this token in this hour and the two before, and is not refunded yet. Only the
    /// owner can make this refund.
    error ExceedsCollected();
    /// @notice There are as many relayers as there can be.
    error TooManyRelayers();
    /// @notice The contract is no account of this vault, or it is the first one, which stays.
    error WrongDelegate();
    /// @notice The recipient did not take the native tokens with the gas that it gets for that.
    error Undeliverable();
    /// @notice An amount of zero, or a recipient that is nobody: the zero address or the vault itself.
    error Nothing();

    /// @dev An amount that belongs to one clock hour, in one slot.
    struct Flow {
        uint40 hour;
        uint216 amount;
    }

    /// @dev For how many clock hours an input can be refunded by relayers, including the hour in which it arrived.
    uint256 private constant REFUND_HOURS = 3;

    /// @dev How many relayers there can be, so that pausing stays cheap.
    uint256 private constant MAX_RELAYERS = 32;

    /// @dev What a recipient of native tokens may spend on taking them, beside the stipend: enough for the wallets that
    /// are contracts, and a bound of what a delivery can cost.
    uint256 private constant RECEIVE_GAS = 100_000;

    /// @dev The native token, where a token is named.
    address private constant NATIVE = address(0);

    /// @notice The first version of the account, deployed with the vault.
    address public immutable firstDelegate;

    /// @notice Whether nothing goes in or out by relayers.
    bool public paused;

    /// @dev The later versions of the account that wallets may be delegated to.
    mapping(address delegate => bool) private _isLaterDelegate;
    /// @dev Who may collect, deliver and refund now: pausing empties it, so that one slot answers both questions.
    mapping(address relayer => bool) private _isActive;
    /// @dev All relayers, paused or not. Few, since pausing visits each.
    address[] private _relayers;
    /// @notice Who may pause, besides the owner.
    mapping(address guardian => bool) public isGuardian;
    /// @notice How much of a token relayers may deliver in a clock hour; nothing unless set.
    mapping(address token => uint256) public capOf;
    /// @dev The complement (~) of a token's refund cap, so that a token without one has 2^256 - 1, and 0 can be set.
    mapping(address token => uint256) private _refundCapComplement;
    /// @notice The swaps that were delivered or refunded here.
    mapping(bytes32 swapId => bool) public isUsed;

    /// @dev Deliveries of the last hour that had any.
    mapping(address token => Flow) private _delivered;
    /// @dev Refunds by relayers of the last hour that had any.
    mapping(address token => Flow) private _refunded;
    /// @dev What was collected in an hour and is not refunded yet, at the hour modulo the length.
    mapping(address token => Flow[REFUND_HOURS]) private _collected;

    modifier onlyRelayer() {
        _checkRelayer();
        _;
    }

    /// @param owner_ Who sets roles and caps; not a relayer by itself.
    constructor(address owner_) Ownable(owner_) {
        firstDelegate = address(new GeoAccount(address(this)));
        emit DelegateSet(firstDelegate, true);
    }

    /// @notice The vault holds native tokens to deliver.
    receive() external payable {}

    /// @notice Takes the input of an order from a wallet that signed it: the only way in that counts.
    /// @dev Relayers only: an order that somebody else collects would look to the service as if nothing had moved.
    /// The caps are not checked, which saves their slots: an input above the refund cap of its token comes in, and
    /// relayers cannot refund it. The owner can, and the service must not quote it.
    /// @param account The wallet, which must be delegated to a version of our account.
    /// @param op The operation.
    /// @param r The first half of the wallet's personal_sign over the 32 bytes of the operation's digest.
    /// @param vs The second half with the parity in its highest bit (EIP-2098).
    function collect(address account, GeoOp calldata op, bytes32 r, bytes32 vs) external onlyRelayer {
        if (op.amount == 0) revert Nothing();
        if (!isDelegate(_delegateOf(account))) revert NotDelegated();
        IERC20 token = IERC20(op.token);
        uint256 before = token.balanceOf(address(this));
        IGeoAccount(account).pay(op, r, vs);
        if (token.balanceOf(address(this)) != before + op.amount) revert WrongAmount();
        _addCollected(op.token, op.amount);
        emit Collected(op.orderId, account, op.token, op.amount, op.terms);
    }

    /// @notice Sends the output of a swap, once per swap.
    /// @param swapId The swap.
    /// @param token The token, or zero for the native one.
    /// @param to Who gets it.
    /// @param amount How much, in smallest units.
    function deliver(bytes32 swapId, address token, address to, uint256 amount) external onlyRelayer {
        emit Delivered(swapId, to, token, amount);
        _use(swapId);
        _count(_delivered[token], capOf[token], amount);
        _send(token, to, amount);
    }

    /// @notice Sends the input of a swap back, once per swap. Relayers may refund up to `refundable`, unless paused. The
    /// owner may refund any amount at any time, and uses up nothing of what relayers may refund. Either way the swap is
    /// marked, so that it is not paid again.
    /// @param swapId The swap.
    /// @param token The token.
    /// @param to Who paid it.
    /// @param amount How much, in smallest units.
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

    /// @notice Takes inventory out, paused or not.
    /// @param token The token, or zero for the native one.
    /// @param to Who gets it.
    /// @param amount How much, in smallest units.
    function withdraw(address token, address to, uint256 amount) external onlyOwner {
        emit Withdrawn(to, token, amount);
        _send(token, to, amount);
    }

    /// @notice Adds a later version of the account, or removes one. The first stays: a vault without it is a new vault.
    /// @dev Only a contract that names this vault can be added, and no wallet that is delegated to one: its key could
    /// change the code later. What else the code does is the owner's to know.
    /// @param delegate The contract that wallets delegate to.
    /// @param allowed Whether wallets that are delegated to it can pay.
    function setDelegate(address delegate, bool allowed) external onlyOwner {
        if (delegate == firstDelegate) revert WrongDelegate();
        if (allowed && (_delegateOf(delegate) != address(0) || !_namesThis(delegate))) revert WrongDelegate();
        _isLaterDelegate[delegate] = allowed;
        emit DelegateSet(delegate, allowed);
    }

    /// @notice Adds a relayer, or removes one.
    /// @param relayer The address that sends our transactions.
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

    /// @notice Adds somebody who can pause, or removes them.
    /// @param guardian The address.
    /// @param allowed Whether it may.
    function setGuardian(address guardian, bool allowed) external onlyOwner {
        isGuardian[guardian] = allowed;
        emit GuardianSet(guardian, allowed);
    }

    /// @notice Bounds what relayers may deliver of a token in a clock hour. Refunds have a cap of the same size until
    /// `setRefundCap` sets a smaller one.
    /// @param token The token, or zero for the native one.
    /// @param perHour The bound in smallest units; 0 stops deliveries and refunds of the token.
    function setCap(address token, uint256 perHour) external onlyOwner {
        capOf[token] = perHour;
        // Opens the slots that `collect` writes to, so that it costs the same in every hour. An estimate that is made
        // before the full hour is then enough after it.
        for (uint256 i = 0; i < REFUND_HOURS; i++) {
            Flow storage flow = _collected[token][i];
            if (flow.hour == 0) flow.hour = 1;
        }
        emit CapSet(token, perHour);
    }

    /// @notice Bounds what relayers may refund of a token in a clock hour. A bound below the largest input leaves inputs
    /// that only the owner can refund.
    /// @param token The token.
    /// @param perHour The bound in smallest units. 0 stops refunds by relayers; a bound above the cap of deliveries has
    /// no effect, so that 2^256 - 1 takes an earlier bound back.
    function setRefundCap(address token, uint256 perHour) external onlyOwner {
        _refundCapComplement[token] = ~perHour;
        emit RefundCapSet(token, perHour);
    }

    /// @notice Stops everything that relayers do.
    function pause() external {
        if (msg.sender != owner() && !isGuardian[msg.sender]) revert NotAllowed();
        _setPaused(true);
        emit Paused(msg.sender);
    }

    /// @notice Lets relayers go on; the owner's decision alone.
    function unpause() external onlyOwner {
        _setPaused(false);
        emit Unpaused(msg.sender);
    }

    /// @notice Refused: without an owner nobody could unpause, and the inventory would stay here for good.
    function renounceOwnership() public pure override {
        revert NotAllowed();
    }

    /// @notice Whether an address may collect, deliver and refund while the vault is not paused.
    /// @param relayer The address.
    /// @return Whether it is a relayer.
    function isRelayer(address relayer) public view returns (bool) {
        for (uint256 i = 0; i < _relayers.length; i++) {
            if (_relayers[i] == relayer) return true;
        }
        return false;
    }

    /// @notice The addresses that may collect, deliver and refund while the vault is not paused.
    /// @return All of them, in no order.
    function relayers() external view returns (address[] memory) {
        return _relayers;
    }

    /// @notice Whether wallets that are delegated to a contract can pay.
    /// @param delegate The contract.
    /// @return Whether it is a version of our account.
    function isDelegate(address delegate) public view returns (bool) {
        return delegate == firstDelegate || _isLaterDelegate[delegate];
    }

    /// @notice How much of a token relayers may refund in a clock hour: the cap that was set for refunds, and at most
    /// the cap of deliveries.
    /// @param token The token.
    /// @return The bound in smallest units.
    function refundCapOf(address token) public view returns (uint256) {
        return Math.min(capOf[token], ~_refundCapComplement[token]);
    }

    /// @notice How much of a token relayers delivered in the current clock hour. Refunds are not part of it.
    /// @param token The token, or zero for the native one.
    /// @return The sum in smallest units.
    function sentThisHour(address token) external view returns (uint256) {
        return _amountIn(_delivered[token], _hour());
    }

    /// @notice How much of a token relayers refunded in the current clock hour. The owner's refunds are not part of it.
    /// @param token The token.
    /// @return The sum in smallest units.
    function refundedThisHour(address token) external view returns (uint256) {
        return _amountIn(_refunded[token], _hour());
    }

    /// @notice How much of a token relayers may still refund in the current clock hour: what is left of the refund cap,
    /// and at most what was collected in this hour and the two before and is not refunded yet.
    /// @param token The token.
    /// @return The bound in smallest units, whether the vault is paused or not.
    function refundable(address token) external view returns (uint256) {
        uint256 hour = _hour();
        uint256 collected = 0;
        for (uint256 i = 0; i < REFUND_HOURS; i++) {
            collected += _amountIn(_collected[token][(hour - i) % REFUND_HOURS], hour - i);
        }
        uint256 left = Math.saturatingSub(refundCapOf(token), _amountIn(_refunded[token], hour));
        return Math.min(left, collected);
    }

    function _setPaused(bool paused_) private {
        paused = paused_;
        for (uint256 i = 0; i < _relayers.length; i++) {
            _isActive[_relayers[i]] = !paused_;
        }
    }

    /// @dev One slot in the usual case: who is active is no relayer of a paused vault.
    function _checkRelayer() private view {
        if (!_isActive[msg.sender]) {
            if (paused) revert IsPaused();
            revert NotAllowed();
        }
    }

    /// @dev Before anything is sent: a recipient that calls back finds its id used.
    function _use(bytes32 swapId) private {
        if (isUsed[swapId]) revert IdUsed();
        isUsed[swapId] = true;
    }

    function _hour() private view returns (uint256) {
        return block.timestamp / 1 hours;
    }

    function _amountIn(Flow storage flow, uint256 hour) private view returns (uint256) {
        return flow.hour == hour ? flow.amount : 0;
    }

    function _set(Flow storage flow, uint256 hour, uint256 amount) private {
        (flow.hour, flow.amount) = (uint40(hour), uint216(amount));
    }

    /// @dev Adds to what left in this hour. Before anything is sent, for the same reason as above.
    function _count(Flow storage flow, uint256 cap, uint256 amount) private {
        uint256 hour = _hour();
        uint256 sum = _amountIn(flow, hour);
        if (sum > cap || amount > cap - sum || amount > type(uint216).max - sum) revert CapExceeded();
        _set(flow, hour, sum + amount);
    }

    /// @dev After the input has arrived. What does not fit into a slot is left out: a payment must not fail for it, and
    /// the owner can refund it.
    function _addCollected(address token, uint256 amount) private {
        uint256 hour = _hour();
        Flow storage flow = _collected[token][hour % REFUND_HOURS];
        uint256 sum = _amountIn(flow, hour);
        uint256 room = type(uint216).max - sum;
        _set(flow, hour, sum + Math.min(amount, room));
    }

    /// @dev Takes a refund out of what was collected, from the oldest hour first, so that refunds of old inputs do not
    /// use up what was collected after them.
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

    /// @dev Nothing of what a recipient of native tokens returns is read, so that it can neither choose the error that
    /// the service sees nor have us pay for a long answer.
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

    /// @dev Whether a contract says that this is its vault. Whatever else it answers, or if it does not, is a no.
    function _namesThis(address delegate) private view returns (bool) {
        (bool ok, bytes32 named,) =
            LowLevelCall.staticcallReturn64Bytes(delegate, abi.encodeCall(IGeoAccount.vault, ()));
        return ok && LowLevelCall.returnDataSize() >= 32 && named == bytes32(uint256(uint160(address(this))));
    }

    /// @dev The contract that an account is delegated to by EIP-7702: its code is then 0xef0100 and an address. Zero
    /// for any other account.
    function _delegateOf(address account) private view returns (address delegate) {
        assembly ("memory-safe") {
            if eq(extcodesize(account), 23) {
                extcodecopy(account, 0, 0, 23)
                let code := mload(0)
                if eq(shr(232, code), 0xef0100) { delegate := shr(96, shl(24, code)) }
            }
        }
    }
}
