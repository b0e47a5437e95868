// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

contract Piece is ERC721("Piece", "PCE") {
    /// @dev Calls the recipient, as every safe transfer does.
    function mint(address to, uint256 id) external {
        _safeMint(to, id);
    }
}

contract Pieces is ERC1155("") {
    /// @dev Calls the recipient, as every safe transfer does.
    function mint(address to, uint256[] calldata ids, uint256[] calldata amounts) external {
        _mintBatch(to, ids, amounts, "");
    }
}

/// @title Tokens of both standards with safe transfers, which call the recipient
contract Collectibles {
    /// @notice ERC-721.
    Piece public immutable piece = new Piece();
    /// @notice ERC-1155.
    Pieces public immutable pieces = new Pieces();

    /// @notice Sends one ERC-721 token, one ERC-1155 token, and two ERC-1155 tokens at once.
    /// @param to The recipient.
    function mint(address to) external {
        piece.mint(to, 1);
        uint256[] memory one = new uint256[](1);
        pieces.mint(to, one, one);
        uint256[] memory two = new uint256[](2);
        (two[0], two[1]) = (1, 2);
        pieces.mint(to, two, two);
    }

    /// @notice The number of tokens of a holder.
    /// @param holder The holder.
    /// @return The count of ERC-721 tokens, and the sum of ERC-1155 tokens 1 and 2.
    function countOf(address holder) external view returns (uint256, uint256) {
        return (piece.balanceOf(holder), pieces.balanceOf(holder, 1) + pieces.balanceOf(holder, 2));
    }
}
