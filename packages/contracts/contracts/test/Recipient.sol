// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";

/// @title A contract that is sent native tokens: it refuses them, or makes a call of its own
contract Recipient {
    /// @notice The call that was made when native tokens arrived, and what came of it.
    /// @param ok Whether it went well.
    /// @param answer What it returned, or was undone with.
    event Called(bool ok, bytes answer);

    /// @notice It takes nothing.
    error Refused();

    address private _target;
    bytes private _data;
    bool private _refusing;

    /// @notice Takes native tokens, or refuses them, and makes the call that is set.
    receive() external payable {
        if (_refusing) revert Refused();
        address target = _target;
        if (target == address(0)) return;
        _target = address(0);
        (bool ok, bytes memory answer) = target.call(_data);
        emit Called(ok, answer);
    }

    /// @notice Sets the call to make when native tokens arrive.
    /// @param target Whom to call; zero for nobody.
    /// @param data What with.
    function attack(address target, bytes calldata data) external {
        (_target, _data) = (target, data);
    }

    /// @notice Sets whether native tokens are refused.
    /// @param refusing Whether they are.
    function refuse(bool refusing) external {
        _refusing = refusing;
    }

    /// @notice Passes native tokens on with the gas of the stipend alone, as `transfer` of old contracts does.
    /// @param to Who gets them.
    function pass(address to) external payable {
        (bool ok, bytes memory answer) = to.call{value: msg.value, gas: 0}("");
        Address.verifyCallResult(ok, answer);
    }
}
