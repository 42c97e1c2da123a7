import { z } from 'zod';
import { text } from './fields.ts';
import { operation } from './operation.ts';
import { resource } from './replies.ts';

export const accountOperations = {
  changePassword: operation({
    group: 'Access',
    method: 'POST',
    path: '/v1/me/password',
    action: 'password.change',
    summary: 'Change the password',
    description:
      'For a person signed in at a browser. Signs every other browser out, ends what applications were granted, and makes reset links that were sent before useless.',
    body: z.strictObject({ current_password: text({ max: 1024 }), new_password: text({ max: 1024 }) }),
    status: 200,
    reply: resource(z.strictObject({ changed: z.literal(true) })),
    errors: ['SESSION_REQUIRED'],
  }),
  requestVerification: operation({
    group: 'Access',
    method: 'POST',
    path: '/v1/me/verification',
    action: 'verification.request',
    summary: 'Send the mail that verifies the e-mail address again',
    description: 'The link in it works once, for a day. At most five mails an hour are sent to one address.',
    status: 202,
    reply: resource(z.strictObject({ requested: z.literal(true) })),
    errors: ['CONFLICT'],
  }),
};
