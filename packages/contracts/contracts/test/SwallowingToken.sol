// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title A token that accepts every unknown call and does nothing, like WETH9
contract SwallowingToken is ERC20 {
    constructor() ERC20("Wrapped", "WRAP") {}

    /// @notice Accepts any call. It returns a lot of data, for which a caller that copies it has to pay.
    fallback() external {
        assembly ("memory-safe") {
            return(0, 100000)
        }
    }

    /// @notice Mints tokens.
    /// @param to The recipient.
    /// @param amount The amount.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}
