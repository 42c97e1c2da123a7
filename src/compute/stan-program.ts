import type { ProphetRuntime } from '../engine/index.ts';

/** The part of the WASI shim that is used here; its types leave out what replaces a stream. */
interface ShimCli {
  _setStdout(stream: object): void;
  _setStderr(stream: object): void;
}
interface ShimIo {
  readonly streams: { readonly OutputStream: { readonly prototype: object } };
}

/**
 * Prophet's Stan program, from WASM on disk. It prints each failed search ("optimization failed: 70"), which is no news:
 * the failure is thrown as well, and the model searches on from elsewhere. So it gets streams of its own that lead
 * nowhere; those of the process stay as they are.
 */
export async function loadStanProgram(): Promise<ProphetRuntime> {
  const cli = (await import('@bytecodealliance/preview2-shim/cli')) as unknown as ShimCli;
  const io = (await import('@bytecodealliance/preview2-shim/io')) as unknown as ShimIo;
  const silence = createSilence(io.streams.OutputStream.prototype);
  cli._setStdout(silence);
  cli._setStderr(silence);
  const { optimizer } = await import('@bsull/augurs-prophet-wasmstan');
  return optimizer as unknown as ProphetRuntime;
}

/** An output stream of the shim, as the program checks, that is always ready and keeps nothing. */
function createSilence(outputStream: object): object {
  const nothing = { value: () => {} };
  return Object.create(outputStream, {
    checkWrite: { value: () => 65_536n },
    write: nothing,
    blockingWriteAndFlush: nothing,
    flush: nothing,
    blockingFlush: nothing,
  });
}
