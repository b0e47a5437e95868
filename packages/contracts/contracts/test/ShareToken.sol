// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A token that keeps shares of a pool: a balance follows the pool, and a transfer is rounded down to shares
contract ShareToken {
    mapping(address holder => uint256) private _sharesOf;
    /// @notice The sum of all shares.
    uint256 public shares;
    /// @notice What all shares are worth together.
    uint256 public pool;

    /// @notice Makes shares out of nothing, each worth one at first.
    /// @param to Who gets them.
    /// @param amount How many.
    function mint(address to, uint256 amount) external {
        _sharesOf[to] += amount;
        shares += amount;
        pool += amount;
    }

    /// @notice Changes what the shares are worth.
    /// @param pool_ All of them together.
    function rebase(uint256 pool_) external {
        pool = pool_;
    }

    /// @notice What the shares of a holder are worth.
    /// @param holder The holder.
    /// @return The worth, rounded down.
    function balanceOf(address holder) public view returns (uint256) {
        return _sharesOf[holder] * pool / shares;
    }

    /// @notice Moves as many shares as are worth no more than an amount.
    /// @param to Who gets them.
    /// @param amount The amount.
    /// @return Always true.
    function transfer(address to, uint256 amount) external returns (bool) {
        uint256 moved = amount * shares / pool;
        _sharesOf[msg.sender] -= moved;
        _sharesOf[to] += moved;
        return true;
    }
}
