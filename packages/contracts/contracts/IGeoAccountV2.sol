// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {GeoOp} from "./GeoOp.sol";

/// @title The function that the second version of the account adds for a vault
interface IGeoAccountV2 {
    /// @notice Pays the amount that the wallet signed as typed data to the calling vault.
    /// @param op The operation.
    /// @param r The first half of the wallet's signature of the typed data.
    /// @param vs The second half with the parity in its highest bit (EIP-2098), so that s is always low.
    function payTyped(GeoOp calldata op, bytes32 r, bytes32 vs) external;
}
