// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TestToken} from "./TestToken.sol";

/// @title A token that anybody can stop
contract PausableToken is TestToken {
    /// @notice The token does not move.
    error TransfersPaused();

    /// @notice Whether it moves.
    bool public paused;

    constructor() TestToken("Pausable", "PSE", 6) {}

    /// @notice Stops all transfers, or lets them go on.
    /// @param paused_ Whether they are stopped.
    function setPaused(bool paused_) external {
        paused = paused_;
    }

    function _update(address from, address to, uint256 amount) internal override {
        if (paused) revert TransfersPaused();
        super._update(from, to, amount);
    }
}
