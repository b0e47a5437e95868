// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

/// @title A token for devnets and tests, of any decimals, that anybody can mint
contract TestToken is ERC20Permit {
    uint8 private immutable _decimals;

    /// @param name_ The token's name.
    /// @param symbol_ Its symbol.
    /// @param decimals_ How many digits of it are behind the point.
    constructor(string memory name_, string memory symbol_, uint8 decimals_) ERC20(name_, symbol_) ERC20Permit(name_) {
        _decimals = decimals_;
    }

    /// @notice How many digits are behind the point.
    /// @return The number of decimals.
    function decimals() public view override returns (uint8) {
        return _decimals;
    }

    /// @notice Makes tokens out of nothing.
    /// @param to Who gets them.
    /// @param amount How many, in smallest units.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}
