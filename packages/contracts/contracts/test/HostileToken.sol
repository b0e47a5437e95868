// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TestToken} from "../testing/TestToken.sol";
import {Act, misbehave} from "./Hostile.sol";

/// @title A token that misbehaves when it moves from or to one holder, and reports the gas that a transfer was given
contract HostileToken is TestToken {
    /// @notice A transfer started.
    /// @param left The gas that was left.
    event Started(uint256 left);

    address private _holder;
    Act private _act;

    constructor() TestToken("USD Coin", "HOST", 6) {}

    /// @notice Sets what happens to the transfers of a holder.
    /// @param holder The holder.
    /// @param act What happens.
    function target(address holder, Act act) external {
        (_holder, _act) = (holder, act);
    }

    function _update(address from, address to, uint256 amount) internal override {
        emit Started(gasleft());
        if (from == _holder || to == _holder) misbehave(_act);
        super._update(from, to, amount);
    }
}
