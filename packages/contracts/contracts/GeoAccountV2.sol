// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {GeoAccount} from "./GeoAccount.sol";
import {GeoOp} from "./GeoOp.sol";
import {IGeoAccountV2} from "./IGeoAccountV2.sol";

/// @title The second version of the account: its operations are typed data that a wallet can display
/// @notice One digest has two signed forms, and the called function decides which one: `pay` takes personal_sign over the
/// 32 bytes of the digest, as in the first version, and `payTyped` takes the typed data. Nonces, ERC-1271 and the receiver
/// hooks are those of the first version.
contract GeoAccountV2 is GeoAccount, IGeoAccountV2 {
    using SafeERC20 for IERC20;

    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant NAME_HASH = keccak256("GeoSwap");
    bytes32 private constant VERSION_HASH = keccak256("2");
    bytes32 private constant GEO_OP_TYPEHASH = keccak256(
        "GeoOp(address wallet,address token,uint256 amount,address vault,bytes32 orderId,Terms terms,uint256 nonce,uint256 deadline)"
        "Terms(uint256 destinationChain,bytes32 outputToken,bytes32 recipient,uint256 minOutput)"
    );

    /// @param vault_ The vault of this version. It cannot be changed.
    constructor(address vault_) GeoAccount(vault_) {}

    /// @inheritdoc IGeoAccountV2
    function payTyped(GeoOp calldata op, bytes32 r, bytes32 vs) external {
        if (msg.sender != vault) revert NotVault();
        if (block.timestamp > op.deadline) revert Expired();
        (address signer, ECDSA.RecoverError problem,) = ECDSA.tryRecover(digestOf(op), r, vs);
        if (problem != ECDSA.RecoverError.NoError || signer != address(this)) revert InvalidSignature();
        _use(op.nonce);
        IERC20(op.token).safeTransfer(msg.sender, op.amount);
    }

    /// @notice The EIP-712 digest of an operation of this wallet, which is its `geoOpHash`.
    /// @dev The delegate is the verifying contract and the wallet is a field, because wallets refuse typed data whose
    /// verifying contract is an account in the wallet.
    /// @param op The operation. `terms` is the EIP-712 hash of the terms.
    /// @return The digest, which the wallet signs as typed data, or with personal_sign over its 32 bytes.
    function digestOf(GeoOp calldata op) public view override returns (bytes32) {
        bytes32 domain = keccak256(abi.encode(DOMAIN_TYPEHASH, NAME_HASH, VERSION_HASH, block.chainid, delegate));
        bytes32 message = keccak256(
            abi.encode(
                GEO_OP_TYPEHASH, address(this), op.token, op.amount, vault, op.orderId, op.terms, op.nonce, op.deadline
            )
        );
        return MessageHashUtils.toTypedDataHash(domain, message);
    }
}
