// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title A token without signatures: neither EIP-3009 nor ERC-2612
contract PlainToken is ERC20 {
    constructor() ERC20("Plain", "PLAIN") {}

    /// @notice Mints tokens.
    /// @param to The recipient.
    /// @param amount The amount in smallest units.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}
