// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @title A contract wallet that accepts every signature of its owner's key, without binding it to the wallet
contract OwnedWallet is IERC1271 {
    /// @notice The owner.
    address public immutable owner;

    /// @param owner_ The owner.
    constructor(address owner_) {
        owner = owner_;
    }

    /// @notice Approves a spender without a limit.
    /// @param token The token.
    /// @param spender The spender.
    function approve(address token, address spender) external {
        IERC20(token).approve(spender, type(uint256).max);
    }

    /// @notice Whether the owner's key signed a digest.
    /// @param hash The digest.
    /// @param signature The signature.
    /// @return The magic value of ERC-1271, or 0xffffffff.
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        return ECDSA.recover(hash, signature) == owner ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }
}
