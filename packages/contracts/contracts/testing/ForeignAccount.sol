// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @title The account of another provider, which accepts only signatures that are marked as its own
contract ForeignAccount is IERC1271 {
    /// @notice Whether the wallet's key signed a digest, and one byte follows the signature.
    /// @param hash The digest.
    /// @param signature The signature, and one byte.
    /// @return The magic value of ERC-1271, or 0xffffffff.
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (signature.length != 66) return 0xffffffff;
        (address signer,,) = ECDSA.tryRecover(hash, signature[:65]);
        return signer == address(this) ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }
}
