// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {TestToken} from "../testing/TestToken.sol";

/// @title A token that makes a call during a transfer
contract ReentrantToken is TestToken {
    /// @notice The call during the last transfer, with its result.
    /// @param ok Whether it succeeded.
    /// @param answer Its return or revert data.
    event Called(bool ok, bytes answer);

    address private _target;
    bytes private _data;
    bool private _strict;

    constructor() TestToken("Reentrant", "REE", 18) {}

    /// @notice Sets the call to make.
    /// @param target The address to call; zero for no call.
    /// @param data The calldata.
    /// @param strict Whether the transfer reverts if the call does.
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
