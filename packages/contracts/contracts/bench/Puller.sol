// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";

/// @title The cheapest way to transfer tokens with a permit, for gas comparisons: it checks nothing
contract Puller {
    /// @notice Transfers the amount of a permit.
    /// @param token The token.
    /// @param from The holder.
    /// @param amount The amount.
    /// @param deadline The permit's deadline.
    /// @param v Of the permit's signature.
    /// @param r Of the permit's signature.
    /// @param s Of the permit's signature.
    function pull(address token, address from, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        IERC20Permit(token).permit(from, address(this), amount, deadline, v, r, s);
        IERC20(token).transferFrom(from, address(this), amount);
    }
}
