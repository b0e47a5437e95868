// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {GeoOp} from "./GeoOp.sol";

/// @title The functions of a delegated wallet that a vault calls
interface IGeoAccount {
    /// @notice Pays the amount that the wallet signed to the calling vault.
    /// @param op The operation.
    /// @param r The first half of the wallet's personal_sign over the 32 bytes of the operation's digest.
    /// @param vs The second half with the parity in its highest bit (EIP-2098), so that s is always low.
    function pay(GeoOp calldata op, bytes32 r, bytes32 vs) external;

    /// @notice Pays the amount that the wallet signed as typed data to the calling vault.
    /// @param op The operation.
    /// @param r The first half of the wallet's signature of the typed data.
    /// @param vs The second half with the parity in its highest bit (EIP-2098), so that s is always low.
    function payTyped(GeoOp calldata op, bytes32 r, bytes32 vs) external;

    /// @notice The only allowed caller of `pay` and `payTyped`, and the recipient of all payments.
    /// @return The vault, which cannot be changed.
    function vault() external view returns (address);
}
