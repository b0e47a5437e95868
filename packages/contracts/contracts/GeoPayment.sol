// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice The payment of a wallet that does not delegate: `amount` of `token` goes to the vault, for the swap that `terms`
/// describe.
/// @dev The wallet, the chain and the vault are part of the signed data but not of this struct: the vault fills them in.
/// @param token The token that the wallet pays with.
/// @param amount The amount in smallest units.
/// @param orderId The service's id of the swap. No contract enforces that it is unique.
/// @param terms The EIP-712 hash of destination chain, output token, recipient and minimum output.
/// @param deadline The last second of the payment. With EIP-3009, the first second at which it is not valid.
struct GeoPayment {
    address token;
    uint256 amount;
    bytes32 orderId;
    bytes32 terms;
    uint256 deadline;
}
