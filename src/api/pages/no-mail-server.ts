/** What pages state instead of "We sent you an email" if the service has no mail server. */
export const NO_MAIL_SERVER =
  'This service has no mail server: its operator finds the email in the log of the service.';
