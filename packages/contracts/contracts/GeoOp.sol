// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice The operation that a wallet signs: `amount` of `token` goes to the vault, for the swap that `terms` describe.
/// @dev The vault is part of the signed data but not of this struct: a delegate knows its vault.
/// @param token The token that the wallet pays with.
/// @param amount The amount in smallest units.
/// @param orderId The service's id of the swap. No contract enforces that it is unique.
/// @param terms The EIP-712 hash of destination chain, output token, recipient and minimum output.
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
