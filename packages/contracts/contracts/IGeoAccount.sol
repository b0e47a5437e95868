// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {GeoOp} from "./GeoOp.sol";

/// @title What a vault calls on a delegated wallet
interface IGeoAccount {
    /// @notice Pays what the wallet signed to the vault that calls.
    /// @param op The operation.
    /// @param r The first half of the wallet's personal_sign over the 32 bytes of the operation's digest.
    /// @param vs The second half with the parity in its highest bit (EIP-2098), so that s is low in any case.
    function pay(GeoOp calldata op, bytes32 r, bytes32 vs) external;

    /// @notice The only caller of `pay`, and where everything goes.
    /// @return The vault, for good.
    function vault() external view returns (address);
}
