/**
 * The functions, events and errors of the commitment contract that the service uses, in the form of viem. Both the
 * contract of this project (`contracts/CommitmentService.sol`) and that of vBase have them.
 */
export const COMMITMENT_SERVICE_ABI = [
  {
    type: 'function',
    name: 'addSet',
    inputs: [{ name: 'setCid', type: 'bytes32' }],
    outputs: [],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    name: 'addSetObject',
    inputs: [
      { name: 'setCid', type: 'bytes32' },
      { name: 'objectCid', type: 'bytes32' },
    ],
    outputs: [],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    name: 'addSetObjectsBatch',
    inputs: [
      { name: 'setCid', type: 'bytes32' },
      { name: 'objectCids', type: 'bytes32[]' },
    ],
    outputs: [],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    name: 'userSetCommitments',
    inputs: [
      { name: 'user', type: 'address' },
      { name: 'setCid', type: 'bytes32' },
    ],
    outputs: [{ name: '', type: 'bool' }],
    stateMutability: 'view',
  },
  {
    type: 'function',
    name: 'verifyUserObject',
    inputs: [
      { name: 'user', type: 'address' },
      { name: 'objectCid', type: 'bytes32' },
      { name: 'timestamp', type: 'uint256' },
    ],
    outputs: [{ name: '', type: 'bool' }],
    stateMutability: 'view',
  },
  {
    type: 'event',
    name: 'AddSet',
    inputs: [
      { name: 'user', type: 'address', indexed: true },
      { name: 'setCid', type: 'bytes32', indexed: true },
    ],
  },
  {
    type: 'event',
    name: 'AddSetObject',
    inputs: [
      { name: 'user', type: 'address', indexed: true },
      { name: 'setCid', type: 'bytes32', indexed: true },
      { name: 'objectCid', type: 'bytes32', indexed: true },
      { name: 'timestamp', type: 'uint256', indexed: false },
    ],
  },
  { type: 'error', name: 'InvalidSet', inputs: [] },
] as const;
