// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A token from before the standard: its transfers return nothing, or return false instead of reverting
contract SilentToken {
    /// @notice Balances by holder.
    mapping(address holder => uint256) public balanceOf;

    /// @notice Whether a transfer returns false and moves nothing.
    bool public refusing;
    /// @notice Whether a transfer returns true and moves nothing.
    bool public lying;

    /// @notice Sets how transfers fail.
    /// @param refusing_ Whether they return false.
    /// @param lying_ Whether they return true without moving tokens.
    function misbehave(bool refusing_, bool lying_) external {
        refusing = refusing_;
        lying = lying_;
    }

    /// @notice Mints tokens.
    /// @param to The recipient.
    /// @param amount The amount.
    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    /// @notice Transfers tokens, and returns nothing on success.
    /// @param to The recipient.
    /// @param amount The amount.
    function transfer(address to, uint256 amount) external {
        if (!refusing && !lying) {
            balanceOf[msg.sender] -= amount;
            balanceOf[to] += amount;
            return;
        }
        bool answer = lying;
        assembly ("memory-safe") {
            mstore(0, answer)
            return(0, 32)
        }
    }
}
