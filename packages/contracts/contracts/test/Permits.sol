// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";

/// @title A signed transfer as in Permit2: the same digest, and the same ERC-1271 call for a wallet with code
contract Permits {
    using SafeERC20 for IERC20;

    /// @notice The owner did not sign this.
    error InvalidSigner();

    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)");
    bytes32 private constant TOKEN_TYPEHASH = keccak256("TokenPermissions(address token,uint256 amount)");
    bytes32 private constant TYPEHASH = keccak256(
        "PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)"
        "TokenPermissions(address token,uint256 amount)"
    );

    /// @notice Transfers the amount that the owner signed to the caller.
    /// @param token The token, for which this contract has an allowance.
    /// @param amount The amount.
    /// @param nonce Unused here.
    /// @param deadline Unused here.
    /// @param owner The owner of the tokens.
    /// @param signature The owner's signature.
    function permitTransferFrom(
        address token,
        uint256 amount,
        uint256 nonce,
        uint256 deadline,
        address owner,
        bytes calldata signature
    ) external {
        bytes32 domain = keccak256(abi.encode(DOMAIN_TYPEHASH, keccak256("Permit2"), block.chainid, address(this)));
        bytes32 permitted = keccak256(abi.encode(TOKEN_TYPEHASH, token, amount));
        bytes32 message = keccak256(abi.encode(TYPEHASH, permitted, msg.sender, nonce, deadline));
        bytes32 digest = MessageHashUtils.toTypedDataHash(domain, message);
        if (owner.code.length == 0) {
            if (ECDSA.recover(digest, signature) != owner) revert InvalidSigner();
        } else if (IERC1271(owner).isValidSignature(digest, signature) != IERC1271.isValidSignature.selector) {
            revert InvalidSigner();
        }
        IERC20(token).safeTransferFrom(owner, msg.sender, amount);
    }
}
