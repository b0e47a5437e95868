// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TestToken} from "./TestToken.sol";

/// @title A token that anyone can pause
contract PausableToken is TestToken {
    /// @notice Transfers are paused.
    error TransfersPaused();

    /// @notice Whether transfers are paused.
    bool public paused;

    constructor() TestToken("Pausable", "PSE", 6) {}

    /// @notice Pauses or resumes all transfers.
    /// @param paused_ Whether to pause.
    function setPaused(bool paused_) external {
        paused = paused_;
    }

    function _update(address from, address to, uint256 amount) internal override {
        if (paused) revert TransfersPaused();
        super._update(from, to, amount);
    }
}
