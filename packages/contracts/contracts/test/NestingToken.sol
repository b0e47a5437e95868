// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TestToken} from "../testing/TestToken.sol";

/// @title A token whose `receiveWithAuthorization` pays nothing: it calls a target instead
contract NestingToken is TestToken {
    address private _target;
    bytes private _data;

    constructor() TestToken("USD Coin", "NEST", 6) {}

    /// @notice Sets the call.
    /// @param target The target.
    /// @param data The data of the call.
    function nest(address target, bytes calldata data) external {
        (_target, _data) = (target, data);
    }

    /// @notice Makes the call, and reverts as it does.
    function receiveWithAuthorization(
        address,
        address,
        uint256,
        uint256,
        uint256,
        bytes32,
        uint8,
        bytes32,
        bytes32
    ) external {
        (bool ok, bytes memory answer) = _target.call(_data);
        if (!ok) {
            assembly ("memory-safe") {
                revert(add(answer, 32), mload(answer))
            }
        }
    }
}
