// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A later version that names its vault and does not pay as the vault asks
contract StrangeAccount {
    /// @notice The vault that it names.
    address public immutable vault;
    /// @notice Whether it takes every call that it does not know for done.
    bool public immutable swallowing;

    /// @param vault_ The vault to name.
    /// @param swallowing_ Whether unknown calls go well.
    constructor(address vault_, bool swallowing_) {
        vault = vault_;
        swallowing = swallowing_;
    }

    /// @notice Does nothing, or refuses.
    fallback() external {
        if (!swallowing) revert();
    }

    /// @notice Pays by other parameters, and so by another selector.
    /// @param token The token.
    /// @param amount How much.
    function pay(address token, uint256 amount) external pure {}
}
