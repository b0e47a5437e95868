// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";

/// @title A recipient of native tokens that refuses them, or makes a call
contract Recipient {
    /// @notice The call when native tokens arrived, with its result.
    /// @param ok Whether it succeeded.
    /// @param answer Its return or revert data.
    event Called(bool ok, bytes answer);

    /// @notice The recipient refuses native tokens.
    error Refused();

    address private _target;
    bytes private _data;
    bool private _refusing;

    /// @notice Accepts or refuses native tokens, and makes the configured call.
    receive() external payable {
        if (_refusing) revert Refused();
        address target = _target;
        if (target == address(0)) return;
        _target = address(0);
        (bool ok, bytes memory answer) = target.call(_data);
        emit Called(ok, answer);
    }

    /// @notice Sets the call to make when native tokens arrive.
    /// @param target The address to call; zero for no call.
    /// @param data The calldata.
    function attack(address target, bytes calldata data) external {
        (_target, _data) = (target, data);
    }

    /// @notice Sets whether native tokens are refused.
    /// @param refusing Whether to refuse.
    function refuse(bool refusing) external {
        _refusing = refusing;
    }

    /// @notice Forwards native tokens with only the gas stipend, like `transfer` in old contracts.
    /// @param to The recipient.
    function pass(address to) external payable {
        (bool ok, bytes memory answer) = to.call{value: msg.value, gas: 0}("");
        Address.verifyCallResult(ok, answer);
    }
}
