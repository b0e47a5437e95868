// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A token from the time before the standard: its transfers return nothing, or false in place of a revert
contract SilentToken {
    /// @notice Balances by holder.
    mapping(address holder => uint256) public balanceOf;

    /// @notice Whether a transfer answers false and moves nothing.
    bool public refusing;
    /// @notice Whether a transfer answers true and moves nothing.
    bool public lying;

    /// @notice Sets how transfers fail.
    /// @param refusing_ Whether they answer false.
    /// @param lying_ Whether they claim to have happened.
    function misbehave(bool refusing_, bool lying_) external {
        refusing = refusing_;
        lying = lying_;
    }

    /// @notice Makes tokens out of nothing.
    /// @param to Who gets them.
    /// @param amount How many.
    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    /// @notice Moves tokens, and answers with nothing where all is well.
    /// @param to Who gets them.
    /// @param amount How many.
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
