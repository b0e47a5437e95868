// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A rebasing token: balances are shares of a pool, and transfers are rounded down to shares
contract ShareToken {
    mapping(address holder => uint256) private _sharesOf;
    /// @notice The sum of all shares.
    uint256 public shares;
    /// @notice The total value of all shares.
    uint256 public pool;

    /// @notice Mints shares, each worth one at first.
    /// @param to The recipient.
    /// @param amount The number of shares.
    function mint(address to, uint256 amount) external {
        _sharesOf[to] += amount;
        shares += amount;
        pool += amount;
    }

    /// @notice Changes the total value of the shares.
    /// @param pool_ The total value.
    function rebase(uint256 pool_) external {
        pool = pool_;
    }

    /// @notice The value of a holder's shares.
    /// @param holder The holder.
    /// @return The value, rounded down.
    function balanceOf(address holder) public view returns (uint256) {
        return _sharesOf[holder] * pool / shares;
    }

    /// @notice Transfers as many shares as the amount is worth, rounded down.
    /// @param to The recipient.
    /// @param amount The amount.
    /// @return Always true.
    function transfer(address to, uint256 amount) external returns (bool) {
        uint256 moved = amount * shares / pool;
        _sharesOf[msg.sender] -= moved;
        _sharesOf[to] += moved;
        return true;
    }
}
