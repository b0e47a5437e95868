// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A relayer that makes several calls in one transaction
contract Batcher {
    /// @notice Makes the calls in order, and reverts as the first one that fails.
    /// @param targets The target of each call.
    /// @param calls The data of each call.
    function run(address[] calldata targets, bytes[] calldata calls) external {
        for (uint256 i = 0; i < calls.length; i++) {
            (bool ok, bytes memory answer) = targets[i].call(calls[i]);
            if (!ok) {
                assembly ("memory-safe") {
                    revert(add(answer, 32), mload(answer))
                }
            }
        }
    }
}
