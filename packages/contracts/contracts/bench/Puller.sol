// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";

/// @title The shortest way to take tokens by a permit, for the comparison of gas: it checks nothing
contract Puller {
    /// @notice Takes what a permit allows.
    /// @param token The token.
    /// @param from Whose.
    /// @param amount How much.
    /// @param deadline The permit's.
    /// @param v The permit's.
    /// @param r The permit's.
    /// @param s The permit's.
    function pull(address token, address from, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        IERC20Permit(token).permit(from, address(this), amount, deadline, v, r, s);
        IERC20(token).transferFrom(from, address(this), amount);
    }
}
