// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A token from before the standard, like USDT
/// @notice Its functions return nothing, and an allowance cannot change from one amount to another without being 0.
contract LegacyToken {
    /// @notice Tokens moved.
    /// @param from The sender.
    /// @param to The recipient.
    /// @param value The amount.
    event Transfer(address indexed from, address indexed to, uint256 value);
    /// @notice An allowance changed.
    /// @param owner The owner.
    /// @param spender The spender.
    /// @param value The allowance.
    event Approval(address indexed owner, address indexed spender, uint256 value);

    /// @notice The token's name.
    string public constant name = "Tether USD";
    /// @notice Its symbol.
    string public constant symbol = "USDT";
    /// @notice The number of decimals.
    uint8 public constant decimals = 6;
    /// @notice The supply.
    uint256 public totalSupply;
    /// @notice The balance of a holder.
    mapping(address holder => uint256) public balanceOf;
    /// @notice The allowance of a spender.
    mapping(address owner => mapping(address spender => uint256)) public allowance;

    /// @notice Mints tokens.
    /// @param to The recipient.
    /// @param amount The amount in smallest units.
    function mint(address to, uint256 amount) external {
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    /// @notice Transfers tokens and returns nothing.
    /// @param to The recipient.
    /// @param amount The amount in smallest units.
    function transfer(address to, uint256 amount) external {
        _transfer(msg.sender, to, amount);
    }

    /// @notice Transfers tokens within an allowance and returns nothing.
    /// @param from The owner.
    /// @param to The recipient.
    /// @param amount The amount in smallest units.
    function transferFrom(address from, address to, uint256 amount) external {
        if (allowance[from][msg.sender] != type(uint256).max) allowance[from][msg.sender] -= amount;
        _transfer(from, to, amount);
    }

    /// @notice Sets an allowance and returns nothing. Reverts without a reason if one amount would replace another.
    /// @param spender The spender.
    /// @param amount The allowance.
    function approve(address spender, uint256 amount) external {
        if (amount != 0 && allowance[msg.sender][spender] != 0) revert();
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
    }

    function _transfer(address from, address to, uint256 amount) private {
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}
