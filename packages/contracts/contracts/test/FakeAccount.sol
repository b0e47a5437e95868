// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {GeoOp} from "../GeoOp.sol";

/// @title A fake delegate, which emits the vault's event and pays nothing
contract FakeAccount {
    /// @notice The event of the vault, from another address.
    /// @param orderId As signed.
    /// @param account The wallet itself.
    /// @param token As signed.
    /// @param amount As signed.
    /// @param terms As signed.
    event Collected(bytes32 indexed orderId, address indexed account, address token, uint256 amount, bytes32 terms);

    /// @notice Pays nothing, but emits the event.
    /// @param op The operation.
    function pay(GeoOp calldata op, bytes32, bytes32) external {
        emit Collected(op.orderId, address(this), op.token, op.amount, op.terms);
    }

    /// @notice Emits the event without a payment request.
    /// @param op The operation.
    function pretend(GeoOp calldata op) external {
        emit Collected(op.orderId, address(this), op.token, op.amount, op.terms);
    }
}
