// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ERC3009} from "@openzeppelin/contracts/token/ERC20/extensions/draft-ERC3009.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {TestToken} from "./TestToken.sol";

/// @title A token with transfers by signature (EIP-3009) and approvals by signature (ERC-2612), like USDC
/// @notice It either recovers the signer of every signature, or asks a wallet that has code (ERC-1271), as USDC does since
/// version 2.2.
contract AuthorizedToken is TestToken, ERC3009 {
    bytes32 private constant PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    /// @notice Whether a wallet that has code is asked about its signatures.
    bool public immutable asksCode;

    /// @param name_ The token's name, which is also the name of the domain. The version of the domain is "1".
    /// @param symbol_ Its symbol.
    /// @param decimals_ The number of decimals.
    /// @param asksCode_ Whether to ask a wallet that has code about its signatures.
    constructor(string memory name_, string memory symbol_, uint8 decimals_, bool asksCode_)
        TestToken(name_, symbol_, decimals_)
    {
        asksCode = asksCode_;
    }

    /// @inheritdoc TestToken
    function decimals() public view override(ERC20, TestToken) returns (uint8) {
        return TestToken.decimals();
    }

    /// @notice Transfers the amount that a wallet signed to the caller.
    /// @param from The wallet.
    /// @param to The caller.
    /// @param value The amount.
    /// @param validAfter The last second before the authorization is valid.
    /// @param validBefore The first second after it was valid.
    /// @param nonce Any 32 bytes, once per wallet.
    /// @param v Of the signature.
    /// @param r Of the signature.
    /// @param s Of the signature.
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) public override {
        if (!asksCode || from.code.length == 0) {
            return super.receiveWithAuthorization(from, to, value, validAfter, validBefore, nonce, v, r, s);
        }
        bytes32 message =
            keccak256(abi.encode(RECEIVE_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce));
        if (!_accepts(from, message, v, r, s)) revert ERC3009InvalidSignature();
        if (to != msg.sender) revert ERC20InvalidReceiver(to);
        _transferWithAuthorization(from, to, value, validAfter, validBefore, nonce);
    }

    /// @notice Sets an allowance that a wallet signed.
    /// @param owner The wallet.
    /// @param spender The spender.
    /// @param value The allowance.
    /// @param deadline The last second at which the permit is valid.
    /// @param v Of the signature.
    /// @param r Of the signature.
    /// @param s Of the signature.
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        public
        override
    {
        if (!asksCode || owner.code.length == 0) return super.permit(owner, spender, value, deadline, v, r, s);
        if (block.timestamp > deadline) revert ERC2612ExpiredSignature(deadline);
        bytes32 message = keccak256(abi.encode(PERMIT_TYPEHASH, owner, spender, value, _useNonce(owner), deadline));
        if (!_accepts(owner, message, v, r, s)) revert ERC2612InvalidSigner(address(0), owner);
        _approve(owner, spender, value);
    }

    function _accepts(address wallet, bytes32 message, uint8 v, bytes32 r, bytes32 s) private view returns (bool) {
        return SignatureChecker.isValidERC1271SignatureNow(wallet, _hashTypedDataV4(message), abi.encodePacked(r, s, v));
    }
}
