// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";
import {IERC1155Receiver} from "@openzeppelin/contracts/token/ERC1155/IERC1155Receiver.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {GeoOp} from "./GeoOp.sol";
import {IGeoAccount} from "./IGeoAccount.sol";

/// @title The contract that a wallet delegates to (EIP-7702)
/// @notice A signature can only move an amount of one token to one vault, and only that vault can present it. There is
/// no other call, no initializer, no owner and no upgrade: another account contract is another address, to which the
/// wallet has to delegate.
/// @dev One digest has two signed forms, and the called function decides which one: `pay` takes personal_sign over the 32
/// bytes of the digest, and `payTyped` takes the typed data.
contract GeoAccount is IGeoAccount, IERC1271, IERC165, IERC721Receiver, IERC1155Receiver {
    using SafeERC20 for IERC20;

    /// @notice Only the vault may present an operation.
    error NotVault();
    /// @notice The deadline of the operation has passed.
    error Expired();
    /// @notice The wallet did not sign this operation.
    error InvalidSignature();
    /// @notice The nonce is already used.
    error NonceUsed();
    /// @notice This is the delegate itself, not a wallet: tokens sent here would be lost.
    error NotWallet();

    /// @custom:storage-location erc7201:geoswap.account
    struct Storage {
        mapping(uint256 word => uint256 bits) used;
    }

    /// @dev keccak256(abi.encode(uint256(keccak256("geoswap.account")) - 1)) & ~bytes32(uint256(0xff))
    bytes32 private constant STORAGE_SLOT = 0x863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca7000;

    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant NAME_HASH = keccak256("GeoSwap");
    bytes32 private constant VERSION_HASH = keccak256("1");
    bytes32 private constant GEO_OP_TYPEHASH = keccak256(
        "GeoOp(address wallet,address token,uint256 amount,address vault,bytes32 orderId,Terms terms,uint256 nonce,uint256 deadline)"
        "Terms(uint256 destinationChain,bytes32 outputToken,bytes32 recipient,uint256 minOutput)"
    );

    /// @inheritdoc IGeoAccount
    address public immutable vault;

    /// @notice This contract's own address, which is the verifying contract in the signed domain.
    address public immutable delegate = address(this);

    /// @dev For tokens that a wallet receives: they could not be moved from the delegate's own address.
    modifier onlyWallet() {
        if (address(this) == delegate) revert NotWallet();
        _;
    }

    /// @dev For payments: only the vault may present an operation, until its deadline.
    modifier onlyVault(uint256 deadline) {
        if (msg.sender != vault) revert NotVault();
        if (block.timestamp > deadline) revert Expired();
        _;
    }

    /// @param vault_ The vault of this account contract. It cannot be changed.
    constructor(address vault_) {
        vault = vault_;
    }

    /// @notice A delegated wallet can receive native tokens like any other wallet.
    receive() external payable onlyWallet {}

    /// @inheritdoc IGeoAccount
    function pay(GeoOp calldata op, bytes32 r, bytes32 vs) external onlyVault(op.deadline) {
        _pay(op, MessageHashUtils.toEthSignedMessageHash(digestOf(op)), r, vs);
    }

    /// @inheritdoc IGeoAccount
    function payTyped(GeoOp calldata op, bytes32 r, bytes32 vs) external onlyVault(op.deadline) {
        _pay(op, digestOf(op), r, vs);
    }

    /// @notice The EIP-712 digest of an operation of this wallet, which is its `geoOpHash`.
    /// @dev The delegate is the verifying contract and the wallet is a field, because wallets refuse typed data whose
    /// verifying contract is an account in the wallet.
    /// @param op The operation. `terms` is the EIP-712 hash of the terms.
    /// @return The digest, which the wallet signs as typed data, or with personal_sign over its 32 bytes.
    function digestOf(GeoOp calldata op) public view returns (bytes32) {
        bytes32 domain = keccak256(abi.encode(DOMAIN_TYPEHASH, NAME_HASH, VERSION_HASH, block.chainid, delegate));
        bytes32 message = keccak256(
            abi.encode(
                GEO_OP_TYPEHASH, address(this), op.token, op.amount, vault, op.orderId, op.terms, op.nonce, op.deadline
            )
        );
        return MessageHashUtils.toTypedDataHash(domain, message);
    }

    /// @notice Whether a nonce of this wallet is used. A wallet cannot cancel a nonce: it can wait for the deadline, or
    /// delegate to another contract until then.
    /// @param nonce The nonce.
    /// @return Whether an operation with this nonce was paid.
    function isUsed(uint256 nonce) external view returns (bool) {
        return _storage().used[nonce >> 8] & (1 << (nonce & 0xff)) != 0;
    }

    /// @notice Whether the wallet's own key signed a digest.
    /// @dev The prefix of personal_sign is never added here. Wallets personal_sign 32 bytes that a service computes: if
    /// the prefix were added, a service could pass off the digest of a permit as an operation. A caller that hashes with
    /// the prefix gets the same result as for a wallet without code.
    /// @param hash The digest.
    /// @param signature r, s, v, or r and s with the parity in the highest bit of s (EIP-2098). s must be low in both.
    /// @return The magic value of ERC-1271, or 0xffffffff.
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        (uint8 v, bytes32 r, bytes32 s) = ECDSA.parseCalldata(signature);
        (address signer, ECDSA.RecoverError problem,) = ECDSA.tryRecover(hash, v, r, s);
        bool own = problem == ECDSA.RecoverError.NoError && signer == address(this);
        return own ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }

    /// @notice Whether a delegated wallet supports an interface (ERC-165).
    /// @param id The interface id.
    /// @return Whether it is ERC-165, ERC-1271 or one of the receivers of ERC-721 and ERC-1155.
    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == type(IERC165).interfaceId || id == type(IERC1271).interfaceId
            || id == type(IERC721Receiver).interfaceId || id == type(IERC1155Receiver).interfaceId;
    }

    /// @notice Accepts ERC-721 tokens, like a wallet without code.
    /// @return The selector, which accepts the transfer.
    function onERC721Received(address, address, uint256, bytes calldata) external view onlyWallet returns (bytes4) {
        return IERC721Receiver.onERC721Received.selector;
    }

    /// @notice Accepts ERC-1155 tokens, like a wallet without code.
    /// @return The selector, which accepts the transfer.
    function onERC1155Received(address, address, uint256, uint256, bytes calldata)
        external
        view
        onlyWallet
        returns (bytes4)
    {
        return IERC1155Receiver.onERC1155Received.selector;
    }

    /// @notice Accepts batches of ERC-1155 tokens, like a wallet without code.
    /// @return The selector, which accepts the transfer.
    function onERC1155BatchReceived(address, address, uint256[] calldata, uint256[] calldata, bytes calldata)
        external
        view
        onlyWallet
        returns (bytes4)
    {
        return IERC1155Receiver.onERC1155BatchReceived.selector;
    }

    /// @dev Pays if the wallet's own key signed the hash. Both forms share this, and only one of them is ever tried.
    function _pay(GeoOp calldata op, bytes32 signed, bytes32 r, bytes32 vs) private {
        (address signer, ECDSA.RecoverError problem,) = ECDSA.tryRecover(signed, r, vs);
        if (problem != ECDSA.RecoverError.NoError || signer != address(this)) revert InvalidSignature();
        _use(op.nonce);
        IERC20(op.token).safeTransfer(msg.sender, op.amount);
    }

    function _use(uint256 nonce) private {
        mapping(uint256 => uint256) storage used = _storage().used;
        uint256 bit = 1 << (nonce & 0xff);
        uint256 bits = used[nonce >> 8];
        if (bits & bit != 0) revert NonceUsed();
        used[nonce >> 8] = bits | bit;
    }

    /// @dev A namespaced slot (ERC-7201): plain slots would collide with those of the wallet's other delegates.
    function _storage() private pure returns (Storage storage $) {
        bytes32 slot = STORAGE_SLOT;
        assembly ("memory-safe") {
            $.slot := slot
        }
    }
}
