interface SendOptions {
  /** The media type, with what was chosen about the format. */
  readonly type: string;
  readonly signal: AbortSignal;
  /** @param share of the file that was sent, from 0 to 1 */
  readonly onProgress: (share: number) => void;
}

/** Uploads a file. `fetch` reports no progress of an upload, so this is an older kind of request. */
export function sendFile(address: string, file: Blob, options: SendOptions): Promise<{ readonly id: string }> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', address);
    request.setRequestHeader('content-type', options.type);
    request.setRequestHeader('accept', 'application/json');
    request.upload.onprogress = ({ loaded, total }) => options.onProgress(total === 0 ? 1 : loaded / total);
    request.onload = () => {
      const reply = readReply(request.responseText);
      if (request.status === 201 && reply?.data !== undefined) resolve(reply.data);
      else reject(new Error(reply?.error?.message ?? 'The service sent a response that this page cannot read.'));
    };
    request.onerror = () => reject(new Error('The service cannot be reached. Check your connection and try again.'));
    request.onabort = () => reject(new Error('The upload was canceled.'));
    options.signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}

interface Reply {
  readonly data?: { readonly id: string };
  readonly error?: { readonly message: string };
}

function readReply(text: string): Reply | null {
  try {
    return JSON.parse(text) as Reply;
  } catch {
    return null;
  }
}
