// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title An account contract that has the right vault but a different `pay`
contract StrangeAccount {
    /// @notice The vault that it returns.
    address public immutable vault;
    /// @notice Whether unknown calls succeed.
    bool public immutable swallowing;

    /// @param vault_ The vault to return.
    /// @param swallowing_ Whether unknown calls succeed.
    constructor(address vault_, bool swallowing_) {
        vault = vault_;
        swallowing = swallowing_;
    }

    /// @notice Does nothing, or reverts.
    fallback() external {
        if (!swallowing) revert();
    }

    /// @notice Has other parameters, and therefore another selector.
    /// @param token The token.
    /// @param amount The amount.
    function pay(address token, uint256 amount) external pure {}
}
