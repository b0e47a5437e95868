// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {TestToken} from "../testing/TestToken.sol";

/// @title A token that makes a call of its own in the middle of a transfer
contract ReentrantToken is TestToken {
    /// @notice The call that was made in the last transfer, and what came of it.
    /// @param ok Whether it went well.
    /// @param answer What it returned, or was undone with.
    event Called(bool ok, bytes answer);

    address private _target;
    bytes private _data;
    bool private _strict;

    constructor() TestToken("Reentrant", "REE", 18) {}

    /// @notice Sets the call to make.
    /// @param target Whom to call; zero for nobody.
    /// @param data What with.
    /// @param strict Whether the transfer fails where the call does.
    function attack(address target, bytes calldata data, bool strict) external {
        (_target, _data, _strict) = (target, data, strict);
    }

    function _update(address from, address to, uint256 amount) internal override {
        super._update(from, to, amount);
        address target = _target;
        if (target == address(0) || from == address(0)) return;
        _target = address(0);
        (bool ok, bytes memory answer) = target.call(_data);
        if (_strict) Address.verifyCallResult(ok, answer);
        emit Called(ok, answer);
    }
}
