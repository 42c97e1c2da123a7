// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Commitments of content ids to the time of a block
/// @notice Records that an address (the user) committed an object, named by its content id, to one of its sets. The
/// functions, events and errors are those of the CommitmentService of vBase that a stamper and a verifier need, with the
/// same signatures. The contract has no owner, holds no funds and cannot be changed.
contract CommitmentService {
    event AddSet(address indexed user, bytes32 indexed setCid);

    event AddSetObject(address indexed user, bytes32 indexed setCid, bytes32 indexed objectCid, uint256 timestamp);

    /// @notice The sender has not added the set.
    error InvalidSet();

    /// @notice Whether a user has added a set.
    mapping(address user => mapping(bytes32 setCid => bool)) public userSetCommitments;

    /// Objects are last, so that a batch computes the slot of its user and time once.
    mapping(address user => mapping(uint256 timestamp => mapping(bytes32 objectCid => bool))) private objectCommitments;

    /// @notice Adds a set of the sender. Adding it again changes nothing and emits nothing.
    function addSet(bytes32 setCid) external {
        if (userSetCommitments[msg.sender][setCid]) return;
        userSetCommitments[msg.sender][setCid] = true;
        emit AddSet(msg.sender, setCid);
    }

    /// @notice Commits an object to a set of the sender at the time of the block. An object can be committed again: each
    /// commitment emits its event, and each of its times verifies.
    function addSetObject(bytes32 setCid, bytes32 objectCid) external {
        requireSet(setCid);
        objectCommitments[msg.sender][block.timestamp][objectCid] = true;
        emit AddSetObject(msg.sender, setCid, objectCid, block.timestamp);
    }

    /// @notice Commits several objects to one set of the sender, as `addSetObject` does for each.
    function addSetObjectsBatch(bytes32 setCid, bytes32[] calldata objectCids) external {
        requireSet(setCid);
        mapping(bytes32 => bool) storage committed = objectCommitments[msg.sender][block.timestamp];
        for (uint256 i = 0; i < objectCids.length; i++) {
            bytes32 objectCid = objectCids[i];
            committed[objectCid] = true;
            emit AddSetObject(msg.sender, setCid, objectCid, block.timestamp);
        }
    }

    /// @notice Returns true exactly if the user committed the object in a block with this timestamp, to any of its sets.
    function verifyUserObject(address user, bytes32 objectCid, uint256 timestamp) external view returns (bool) {
        return objectCommitments[user][timestamp][objectCid];
    }

    function requireSet(bytes32 setCid) private view {
        if (!userSetCommitments[msg.sender][setCid]) revert InvalidSet();
    }
}
