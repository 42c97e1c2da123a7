/** A processor architecture, as npm, Debian and OCI name it, and as the header of an ELF file has it. */
export interface Architecture {
  readonly npm: string;
  /** Debian and OCI use the same names. */
  readonly debian: string;
  readonly elfMachine: number;
}

export const ARCHITECTURES: readonly Architecture[] = [
  { npm: 'x64', debian: 'amd64', elfMachine: 62 },
  { npm: 'arm64', debian: 'arm64', elfMachine: 183 },
];
