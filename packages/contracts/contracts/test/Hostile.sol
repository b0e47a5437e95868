// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @dev What hostile code does instead of its work.
enum Act {
    None,
    Burn,
    RevertBomb,
    ReturnBomb
}

/// @dev Uses all gas, or much of it for a long answer. Returns only if there is nothing to do.
function misbehave(Act act) view {
    if (act == Act.None) return;
    // Memory costs 3 gas per word and the square of the words / 512: this many words use less than half of the gas, so that
    // the caller can pass the answer on.
    uint256 size = 32 * Math.sqrt(150 * gasleft());
    assembly ("memory-safe") {
        switch act
        case 2 { revert(0, size) }
        case 3 { return(0, size) }
        default { for {} 1 {} {} }
    }
}

/// @title A wallet or a recipient with hostile code, for every call
contract Hostile {
    Act private immutable _act;

    /// @param act What it does.
    constructor(Act act) {
        _act = act;
    }

    /// @notice Misbehaves when native tokens arrive.
    receive() external payable {
        misbehave(_act);
    }

    /// @notice Misbehaves when it is asked for anything, such as whether a signature is valid.
    fallback() external {
        misbehave(_act);
    }
}
