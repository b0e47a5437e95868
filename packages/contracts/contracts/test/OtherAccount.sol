// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The account of another provider, with its own storage in the first slots
contract OtherAccount {
    /// @notice In slot 0.
    uint256 public counter;
    /// @notice Under slot 1.
    mapping(uint256 key => uint256) public values;

    /// @notice Writes to all of its storage.
    function touch() external {
        counter++;
        values[0] = type(uint256).max;
    }
}
