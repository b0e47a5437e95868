// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {TestToken} from "./TestToken.sol";

/// @title A token that makes a call for the sender before anything moves, as ERC-777 does
contract HookToken is TestToken {
    /// @notice The call before the last transfer, with its result.
    /// @param ok Whether it succeeded.
    /// @param answer Its return or revert data.
    event Called(bool ok, bytes answer);

    struct Hook {
        address target;
        bytes data;
        bool strict;
    }

    mapping(address sender => Hook) private _hooks;

    constructor() TestToken("Hook", "HOOK", 18) {}

    /// @notice Sets the call to make before the next transfer of a sender.
    /// @param sender The sender.
    /// @param target The address to call; zero for no call.
    /// @param data The calldata.
    /// @param strict Whether the transfer reverts if the call does.
    function hook(address sender, address target, bytes calldata data, bool strict) external {
        _hooks[sender] = Hook(target, data, strict);
    }

    function _update(address from, address to, uint256 amount) internal override {
        Hook memory own = _hooks[from];
        if (own.target != address(0)) {
            delete _hooks[from];
            (bool ok, bytes memory answer) = own.target.call(own.data);
            if (own.strict) Address.verifyCallResult(ok, answer);
            emit Called(ok, answer);
        }
        super._update(from, to, amount);
    }
}
