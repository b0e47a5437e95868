// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The only function of Permit2 that the vault calls
interface IPermit2 {
    /// @notice A token and the exact amount that the owner signed.
    struct TokenPermissions {
        address token;
        uint256 amount;
    }

    /// @notice A signed permission for one transfer.
    struct PermitTransferFrom {
        TokenPermissions permitted;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice Where the spender sends the tokens.
    struct SignatureTransferDetails {
        address to;
        uint256 requestedAmount;
    }

    /// @notice Transfers tokens that the owner signed for the caller, together with other signed data.
    /// @param permit What the owner signed.
    /// @param transferDetails The recipient, and the amount.
    /// @param owner The owner of the tokens.
    /// @param witness The hash of the other signed data.
    /// @param witnessTypeString The type of the other signed data, and the types that follow it.
    /// @param signature The owner's signature.
    function permitWitnessTransferFrom(
        PermitTransferFrom calldata permit,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external;
}
