// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice What a wallet agrees to: that `amount` of `token` goes to the vault, for the swap that `terms` describe.
/// @dev The vault is a field of what is signed and not of what is presented: a delegate knows its own.
/// @param token The token that the wallet pays with.
/// @param amount How much of it, in smallest units.
/// @param orderId The service's name for the swap. No contract sees to it that it is unique.
/// @param terms The hash of destination chain, output token, recipient and minimum output.
/// @param nonce An index into the wallet's bitmap of used nonces, in any order. It cannot be cancelled.
/// @param deadline The last second at which a chain accepts the operation.
struct GeoOp {
    address token;
    uint256 amount;
    bytes32 orderId;
    bytes32 terms;
    uint256 nonce;
    uint256 deadline;
}
