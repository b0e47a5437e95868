// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC3009} from "@openzeppelin/contracts/token/ERC20/extensions/draft-ERC3009.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";

/// @title A token with transfers by signature (EIP-3009), for gas comparisons
contract AuthorizedToken is ERC3009 {
    constructor() ERC20("Authorized", "AUT") EIP712("Authorized", "1") {}

    /// @notice Mints tokens.
    /// @param to The recipient.
    /// @param amount The amount.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}
