// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

/// @title A token for devnets and tests, with any number of decimals, that anyone can mint
contract TestToken is ERC20Permit {
    uint8 private immutable _decimals;

    /// @param name_ The token's name.
    /// @param symbol_ Its symbol.
    /// @param decimals_ The number of decimals.
    constructor(string memory name_, string memory symbol_, uint8 decimals_) ERC20(name_, symbol_) ERC20Permit(name_) {
        _decimals = decimals_;
    }

    /// @notice The number of decimals.
    /// @return The number of decimals.
    function decimals() public view virtual override returns (uint8) {
        return _decimals;
    }

    /// @notice Mints tokens.
    /// @param to The recipient.
    /// @param amount The amount in smallest units.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}
