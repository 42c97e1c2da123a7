// Written by `npm run build:client` from the OpenAPI document. Do not edit.

import type { Call, Pages } from '../call.ts';
import type { AlmanacFile } from '../file.ts';
import type { CallOptions } from '../options.ts';
import type { ForecastEvent, WatchOptions } from '../watch.ts';
import type * as types from './types.ts';

export interface AccountMethods {
  /**
   * Read the caller’s access. Returns the scopes of the credential, the personal plan and the workspace
   * memberships. They are read from the database on every request. (readAccess)
   */
  readAccess(input?: types.ReadAccessInput, options?: CallOptions): Call<types.AccessRecord>;

  /**
   * Read the caller’s usage. Returns the caller’s limits on credits, slots, requests and storage, and how much of
   * each is in use or left. Forecasts in a workspace use the credits and slots of its owner. The request itself
   * counts as one request. With `from`, `to` or `interval`, the response also has the history of an account: by
   * default the last 30 days or 12 months. Guests have no history. (readUsage)
   */
  readUsage(input?: types.ReadUsageInput, options?: CallOptions): Call<types.UsageRecord>;

  /**
   * Change the password. Requires a browser session. Signs out every other browser, revokes the access of
   * applications and invalidates reset links sent earlier. (changePassword)
   */
  changePassword(input: types.ChangePasswordInput, options?: CallOptions): Call<types.ChangePasswordData>;

  /**
   * Send the verification email again. The link works once and expires after a day. An address gets at most five
   * emails an hour, and one network can request at most three of them. After that, a network that has not requested
   * any can still request one, up to ten emails an hour in total. (requestVerification)
   */
  requestVerification(input?: types.RequestVerificationInput, options?: CallOptions): Call<types.RequestVerificationData>;

  /**
   * Export everything the account owns. Requires a browser session. Returns a ZIP archive that is written while it
   * is sent: JSON files with the data of the operations that show the same things, the CSV files and the proofs. It
   * contains no password, key or token. The last file, `manifest.json`, lists what could not be included. An
   * archive that ends without it is incomplete. (exportAccount)
   */
  export(input?: types.ExportAccountInput, options?: CallOptions): Call<AlmanacFile>;

  /**
   * Read what erasing the account would do. Requires a browser session. Lists what would be removed, what would
   * stay and with whom, and what prevents the erasure. Changes nothing. (readErasure)
   */
  readErasure(input?: types.ReadErasureInput, options?: CallOptions): Call<types.AccountErasure>;

  /**
   * Erase the account. Requires a browser session and the password. Removes the account with everything it owns;
   * this cannot be undone. What it shared in workspaces of other accounts stays there and belongs to their owners.
   * Public forecasts in `keep_public` stay at their address without an owner, and no caller can change or delete
   * them. Public event forecasts are removed. Refused while the account owns a workspace with other members, and if
   * it is the only administrator. (eraseAccount)
   */
  erase(input: types.EraseAccountInput, options?: CallOptions): Call<types.EraseAccountData>;

  /**
   * List connected applications. Lists the applications that can use the account by OAuth, newest first, at most
   * 200. An application that was allowed several times is listed once for each grant. (listApplications)
   */
  listApplications(input?: types.ListApplicationsInput, options?: CallOptions): Call<types.ListApplicationsData>;

  /**
   * Revoke the access of an application. Takes effect immediately, for the grant, every token under it, and the API
   * keys and feeds created with them. (revokeApplication)
   */
  revokeApplication(input: types.RevokeApplicationInput, options?: CallOptions): Call<types.RevokeApplicationData>;

  /**
   * List security events. Lists sign-ins and changes to the password, keys, feeds, sessions, applications and plan,
   * newest first. Failed attempts are recorded at most once a minute. Events are kept for at least 400 days.
   * (listSecurityEvents)
   */
  listSecurityEvents(input?: types.ListSecurityEventsInput, options?: CallOptions): Pages<types.ListSecurityEventsData, types.ListSecurityEventsData['events'][number]>;

  /**
   * List invitations. Lists the open invitations to the caller’s verified email address, newest first: to become a
   * member of a workspace, or to become its owner. (listInvitations)
   */
  listInvitations(input?: types.ListInvitationsInput, options?: CallOptions): Pages<types.ListInvitationsData, types.ListInvitationsData['invitations'][number]>;

  /**
   * Accept an invitation. Makes the caller a member of the workspace, or its owner. From then on the owner’s plan
   * applies to the workspace, and its new forecasts use the owner’s credits and slots. An invitation to another
   * address, and one that was answered, was withdrawn or has expired, gets 404. (acceptInvitation)
   */
  acceptInvitation(input: types.AcceptInvitationInput, options?: CallOptions): Call<types.AcceptInvitationData>;

  /**
   * Decline an invitation. Ends the invitation. Nothing else changes, and the sender can invite the address again.
   * (declineInvitation)
   */
  declineInvitation(input: types.DeclineInvitationInput, options?: CallOptions): Call<types.DeclineInvitationData>;

  /** Read the settings of emails about forecasts. (readNotifications) */
  readNotifications(input?: types.ReadNotificationsInput, options?: CallOptions): Call<types.Notifications>;

  /**
   * Turn emails about forecasts on or off. Both kinds of emails are off until the account turns them on. An account
   * gets at most one email in 10 minutes and 20 in 24 hours; one email lists everything since the last one.
   * Forecasts that the account canceled are left out. Each email has a link that turns these emails off.
   * (updateNotifications)
   */
  updateNotifications(input?: types.UpdateNotificationsInput, options?: CallOptions): Call<types.Notifications>;
}

export interface KeysMethods {
  /**
   * List API keys. Lists the account’s keys that are neither revoked nor expired, newest first. Only the hint of
   * each key is shown. (listApiKeys)
   */
  list(input?: types.ListApiKeysInput, options?: CallOptions): Call<types.ListApiKeysData>;

  /**
   * Create an API key. Returns the key, which is not shown again. Without `scopes`, the key gets all scopes of the
   * caller’s credential. A key created with another key can have only scopes of that key, expires no later than
   * that key, and is revoked together with it. (createApiKey)
   */
  create(input: types.CreateApiKeyInput, options?: CallOptions): Call<types.NewApiKey>;

  /**
   * Revoke an API key. Takes effect immediately, for the key and for every key created with it. An API key can
   * revoke itself, and other keys if it has all of their scopes. (revokeApiKey)
   */
  revoke(input: types.RevokeApiKeyInput, options?: CallOptions): Call<types.RevokeApiKeyData>;
}

export interface SessionsMethods {
  /**
   * Sign in. Sets the session cookie. A wrong password and an unknown address return the same error.
   * (createSession)
   */
  create(input: types.CreateSessionInput, options?: CallOptions): Call<types.CreateSessionData>;

  /**
   * Sign out. Ends the session that the cookie belongs to, if there is one, and clears the cookie. Repeating the
   * request is safe. (endSession)
   */
  end(input?: types.EndSessionInput, options?: CallOptions): Call<types.EndSessionData>;

  /** List browser sessions. Lists the browsers that are signed in to the account. (listSessions) */
  list(input?: types.ListSessionsInput, options?: CallOptions): Call<types.ListSessionsData>;

  /** Sign out all other browsers. Ends every session of the account except the caller’s own. (endOtherSessions) */
  endOther(input?: types.EndOtherSessionsInput, options?: CallOptions): Call<types.EndOtherSessionsData>;

  /**
   * Sign out one browser. Takes effect immediately. Ending the caller’s own session signs the caller out.
   * (endSessionById)
   */
  endById(input: types.EndSessionByIdInput, options?: CallOptions): Call<types.EndSessionByIdData>;

  /**
   * Create a guest session. Sets the cookie for an anonymous guest session. A browser that already has a guest
   * session keeps it. (createGuestSession)
   */
  createGuest(input?: types.CreateGuestSessionInput, options?: CallOptions): Call<types.CreateGuestSessionData>;
}

export interface SeriesMethods {
  /**
   * Search for markets and series. Finds names even if the query contains typing errors. An empty query lists
   * everything. Pass the `source` of a result unchanged to `describe` or `observations`, or to a forecast.
   * (searchSeries)
   */
  search(input: types.SearchSeriesInput, options?: CallOptions): Pages<types.SearchSeriesData, types.SearchSeriesData['results'][number]>;

  /**
   * Preview series for small pictures. Returns a few of the latest values of each series, in the order of
   * `sources`, from rows that are bundled or already stored. No provider gets a request. Stored rows can be older
   * than those that `observations` returns. (previewSeries)
   */
  preview(input: types.PreviewSeriesInput, options?: CallOptions): Call<types.PreviewSeriesData>;

  /**
   * Describe a series. Returns value fields, dimensions, units, frequency, span and license. Values of revised data
   * are those known today, not those first published. (describeSeries)
   */
  describe(input: types.DescribeSeriesInput, options?: CallOptions): Call<types.DescribeSeriesData>;

  /**
   * Read the rows of a series. Reads one value field. Every required dimension needs a value. Periods without an
   * observation have no row. The format `csv` returns an attachment. (readObservations)
   */
  readObservations(input: types.ReadObservationsInput & { format: 'csv' }, options?: CallOptions): Call<AlmanacFile>;
  readObservations(input: types.ReadObservationsInput & { format?: 'json' | undefined }, options?: CallOptions): Call<types.ReadObservationsData>;
  readObservations(input: types.ReadObservationsInput, options?: CallOptions): Call<types.ReadObservationsData | AlmanacFile>;
}

export interface MarketMethods {
  /**
   * List the providers of bars. Returns the providers that the service uses, in the order in which they are tried,
   * and then those that are not configured. For administrators, it also returns their state. (listMarketProviders)
   */
  listProviders(input?: types.ListMarketProvidersInput, options?: CallOptions): Call<types.ListMarketProvidersData>;

  /**
   * Read the price history of a stock. Returns the latest completed bars, oldest first. Missing bars are not
   * filled. The format `csv` returns an attachment. For one day, `snapshot_id` returns the same rows again in
   * either format. (readStockHistory)
   */
  readStockHistory(input: types.ReadStockHistoryInput & { format: 'csv' }, options?: CallOptions): Call<AlmanacFile>;
  readStockHistory(input: types.ReadStockHistoryInput & { format?: 'json' | undefined }, options?: CallOptions): Pages<types.ReadStockHistoryData, types.ReadStockHistoryData['rows'][number]>;
  readStockHistory(input: types.ReadStockHistoryInput, options?: CallOptions): Call<types.ReadStockHistoryData | AlmanacFile>;
}

export interface FeedsMethods {
  /**
   * Create a feed. Returns a URL from which programs read CSV without another credential: bars (`history`), rows of
   * a series (`observations`) or the predictions of a completed forecast (`forecast`). The request is checked as
   * the operation of its kind would check it. `history` and `observations` need the scope datasets:read, `forecast`
   * needs forecasts:read. A feed is API access, so the account needs the pro or enterprise plan. A feed that is
   * created with an API key or an access token ends with that key or with the grant of that token. An account can
   * have 50 feeds. (createFeed)
   */
  create(input: types.CreateFeedInput, options?: CallOptions): Call<types.NewFeed>;

  /**
   * List feeds. Lists the feeds of the account, newest first, without their URLs. A credential sees only the kinds
   * that its scopes allow. (listFeeds)
   */
  list(input?: types.ListFeedsInput, options?: CallOptions): Call<types.ListFeedsData>;

  /** Delete a feed. Takes effect immediately: the next request to the URL of the feed gets 404. (deleteFeed) */
  delete(input: types.DeleteFeedInput, options?: CallOptions): Call<types.DeleteFeedData>;

  /**
   * Read a feed. Returns the CSV of a feed. The token in the URL is the only credential. The request counts for the
   * owner of the feed, whose plan, access and licenses are checked on each read. An unknown, malformed or deleted
   * token gets 404 and counts for the address of the caller. (readFeed)
   */
  read(input: types.ReadFeedInput, options?: CallOptions): Call<AlmanacFile>;
}

export interface ForecastsMethods {
  /**
   * Create a forecast. Stores a snapshot of the rows, reserves credits and queues the forecast. In a workspace, the
   * limits of the owner’s plan apply and the owner’s credits are used. (createForecast)
   */
  create(input: types.CreateForecastInput, options?: CallOptions): Call<types.QueuedForecast>;

  /**
   * List forecasts. Lists the caller’s forecasts, newest first unless `sort` differs. Results are omitted; read a
   * forecast by its id to get its result. (listForecasts)
   */
  list(input?: types.ListForecastsInput, options?: CallOptions): Pages<types.ListForecastsData, types.ListForecastsData['forecasts'][number]>;

  /**
   * Read a forecast. Returns the forecast with its progress and an ETag, which changes when anything in the
   * response does. Until the forecast has completed, `predictions` is empty, and weighting, validation and
   * effective weights are absent. (readForecast)
   */
  read(input: types.ReadForecastInput, options?: CallOptions): Call<types.EnsembleForecast>;

  /**
   * Delete a forecast. Deletes a forecast with its result, its events and its snapshot. A queued or running
   * forecast is canceled first, and its reservation is released; the credits of a completed one stay spent.
   * Reproductions of it keep their snapshot, and questions from it stay. In a workspace, only the creator and the
   * owner of the workspace can delete a forecast. (deleteForecast)
   */
  delete(input: types.DeleteForecastInput, options?: CallOptions): Call<types.DeleteForecastData>;

  /**
   * Change the title or the visibility of a forecast. Changes a forecast in any state. The creator can change it
   * and, unless it is private, members of its workspace with the permission `forecast.update`. The slug and a
   * stored proof do not change. A completed forecast that becomes public is handed over to be stamped if the policy
   * of the service selects it. (updateForecast)
   */
  update(input: types.UpdateForecastInput, options?: CallOptions): Call<types.EnsembleForecast>;

  /**
   * Cancel a forecast. A forecast that has completed stays completed. Repeating the request is safe. The owner of a
   * workspace can also cancel private forecasts of other members by their id, and gets only the fields that the
   * list of the workspace shows. (cancelForecast)
   */
  cancel(input: types.CancelForecastInput, options?: CallOptions): Call<types.CancelForecastData>;

  /**
   * Reproduce a forecast. Creates a forecast that runs the models again on the stored snapshot, with the same
   * checkpoints and settings. If the snapshot of a canceled or failed forecast was removed, the answer is 422.
   * (reproduceForecast)
   */
  reproduce(input: types.ReproduceForecastInput, options?: CallOptions): Call<types.QueuedForecast>;

  /**
   * Watch the progress of a forecast. Streams the server-sent events `queued`, `progress`, `completed` and
   * `failed`. With Last-Event-ID, the stream continues after that event. A client that already has the last event
   * gets 204, so that EventSource stops reconnecting. The stream ends if the caller loses access to the forecast.
   * (watchForecast)
   */
  watch(input: types.WatchForecastInput, options?: WatchOptions): AsyncIterable<ForecastEvent>;

  /**
   * Read the proof of a forecast. Returns the canonical document of a completed forecast, its content id and its
   * receipt. `content_cid` is the hash of the document as canonical JSON (RFC 8785): SHA3-256 if the field `hash`
   * of the document names it, otherwise SHA-256. `almanac proof verify FILE` and the page `/verify` check a saved
   * response. (readForecastProof)
   */
  readProof(input: types.ReadForecastProofInput, options?: CallOptions): Call<types.ProofFile>;

  /**
   * List models, frequencies and limits. The limits are those of the caller’s plan or, with `workspace_id`, those
   * of the workspace owner’s plan. (listModels)
   */
  listModels(input?: types.ListModelsInput, options?: CallOptions): Call<types.ModelsResponse>;

  /** Export the predictions of a forecast. Returns a completed forecast as a CSV or JSON file. (exportForecast) */
  export(input: types.ExportForecastInput & { format: 'json' }, options?: CallOptions): Call<types.EnsembleForecast>;
  export(input: types.ExportForecastInput & { format?: 'csv' | undefined }, options?: CallOptions): Call<AlmanacFile>;
  export(input: types.ExportForecastInput, options?: CallOptions): Call<types.EnsembleForecast | AlmanacFile>;

  /**
   * Prepare to save a guest’s forecast. A guest calls this operation before signing in, for one of its own
   * completed private forecasts. The response sets a cookie with which this browser can save the forecast once,
   * within 15 minutes. Any earlier cookie stops working. (prepareSaveForecast)
   */
  prepareSave(input: types.PrepareSaveForecastInput, options?: CallOptions): Call<types.PrepareSaveForecastData>;

  /**
   * Save a forecast to the account. Saves a forecast of the account, or a guest’s forecast for which prepare-save
   * set a cookie in this browser. The guest’s forecast then belongs to the account. Repeating the request is safe.
   * (saveForecast)
   */
  save(input: types.SaveForecastInput, options?: CallOptions): Call<types.SaveForecastData>;

  /**
   * Read the rows that a forecast was made from. Returns the latest rows of the snapshot of a forecast. A public
   * forecast does not make its rows public: the caller needs access to the source. Rows that were sent with the
   * request are returned only to the caller that sent them and to members of its workspace that may read the
   * forecast. (readForecastHistory)
   */
  readHistory(input: types.ReadForecastHistoryInput, options?: CallOptions): Call<types.ForecastHistory>;

  /**
   * Preview forecasts. Returns a few values of each forecast, from which a list can draw small lines. Ids of
   * forecasts that do not exist, or that the caller may not read, are left out. (previewForecasts)
   */
  preview(input: types.PreviewForecastsInput, options?: CallOptions): Call<types.PreviewForecastsData>;

  /**
   * Read the track record. Adds up the scores of completed outcomes, for the ensemble and by member model: the loss
   * relative to the seasonal naive forecast, the coverage of intervals and the calibration. Covers the caller’s own
   * forecasts, those of the caller’s workspaces and public ones, up to the latest 10,000 outcomes. A CSV file has
   * one line for each forecast, model and scored step, from which every figure can be computed; its header
   * `x-truncated` is `true` if older outcomes were left out. (readTrackRecord)
   */
  readTrackRecord(input: types.ReadTrackRecordInput & { format: 'csv' }, options?: CallOptions): Call<AlmanacFile>;
  readTrackRecord(input?: types.ReadTrackRecordInput & { format?: 'json' | undefined }, options?: CallOptions): Call<types.TrackRecord>;
  readTrackRecord(input: types.ReadTrackRecordInput, options?: CallOptions): Call<types.TrackRecord | AlmanacFile>;

  /**
   * Estimate a forecast. Takes the body of a new forecast, reads its rows and returns the price and what is known
   * before it runs. Stores nothing and takes neither a slot nor credits. A request that could not create a forecast
   * now is refused with the same error. (estimateForecast)
   */
  estimate(input: types.EstimateForecastInput, options?: CallOptions): Call<types.ForecastEstimate>;

  /**
   * List what the caller may do with a forecast. Returns which of these actions the caller may take now: `update`
   * (title and visibility), `cancel`, `delete` and `reproduce`. Pages use it to offer only those. An action that is
   * listed can still be refused for another reason, such as missing credits. (listForecastActions)
   */
  listActions(input: types.ListForecastActionsInput, options?: CallOptions): Call<types.AllowedActions>;

  /**
   * Read the outcome of a forecast. Returns the actual values of the periods that are over and settled, with the
   * predicted quantiles and the scores so far. A job reads them from the source of the forecast, with the present
   * rights of its owner. The format `csv` returns an attachment with the rows and the quantiles of the seasonal
   * naive forecast, from which every score can be computed. (readOutcome)
   */
  readOutcome(input: types.ReadOutcomeInput & { format: 'csv' }, options?: CallOptions): Call<AlmanacFile>;
  readOutcome(input: types.ReadOutcomeInput & { format?: 'json' | undefined }, options?: CallOptions): Call<types.ForecastOutcome>;
  readOutcome(input: types.ReadOutcomeInput, options?: CallOptions): Call<types.ForecastOutcome | AlmanacFile>;

  /**
   * Send the outcome of a forecast. Records the actual values of a forecast of inline rows or of a workspace file,
   * whose outcome no job can read. Each step is recorded once: a repeated value is accepted, another value is a
   * conflict. More steps can be sent later. The outcome is complete with the last step; steps before it that were
   * not sent stay without a value. (recordOutcome)
   */
  recordOutcome(input: types.RecordOutcomeInput, options?: CallOptions): Call<types.ForecastOutcome>;
}

export interface WorkspacesMethods {
  /**
   * List the forecasts of a workspace. Lists the forecasts within the caller’s resource scope, newest first unless
   * `sort` differs. Private forecasts of other members are left out, except for the owner of the workspace, who
   * sees the id, status, credits and creation time of each. `q`, `source` and `model` do not find these, and only
   * `created_at` sorts them. (listWorkspaceForecasts)
   */
  listForecasts(input: types.ListWorkspaceForecastsInput, options?: CallOptions): Pages<types.ListWorkspaceForecastsData, types.ListWorkspaceForecastsData['forecasts'][number]>;

  /**
   * List the files of a workspace. Lists the files within the caller’s resource scope, newest first. (listCsvFiles)
   */
  listCsvFiles(input: types.ListCsvFilesInput, options?: CallOptions): Pages<types.ListCsvFilesData, types.ListCsvFilesData['files'][number]>;

  /**
   * Upload a file to a workspace. The body is the file, limited to 50 MiB, 1,000,000 rows and 200 columns. The
   * encoding, delimiter, header and column types are detected. Parameters of the media type override the detection:
   * `charset`, `delimiter=comma|semicolon|tab|pipe`, `header=present|absent`, and `dates=day_first|month_first` for
   * ambiguous dates. If the file is invalid, nothing is stored and the error names the first invalid line.
   * (uploadCsvFile)
   */
  uploadCsvFile(input: types.UploadCsvFileInput, options?: CallOptions): Call<types.CsvFile>;

  /**
   * Read a file. Returns the description of the file and a page of its rows. A page can contain fewer rows than
   * `limit` if the rows are very long. Pass `next_cursor` as `cursor` to read the next page. (readCsvFile)
   */
  readCsvFile(input: types.ReadCsvFileInput, options?: CallOptions): Pages<types.CsvFilePage, types.CsvFilePage['page'][number]>;

  /**
   * Delete a file. Forecasts made from the file are kept, because each forecast stores its rows when it is created.
   * (deleteCsvFile)
   */
  deleteCsvFile(input: types.DeleteCsvFileInput, options?: CallOptions): Call<types.DeleteCsvFileData>;

  /**
   * Read the series of two columns of a file. Returns the rows as a forecast with a source of the type
   * `workspace_csv` would read them: ordered, without gaps, and dated by their frequency. If the columns are not a
   * series, the error is the same as for the forecast and names the line. (readCsvSeries)
   */
  readCsvSeries(input: types.ReadCsvSeriesInput, options?: CallOptions): Call<types.CsvSeries>;

  /**
   * Download a file. Returns the file in UTF-8 with commas as delimiters and CRLF line endings, regardless of the
   * format of the upload. An apostrophe is put before cells that a spreadsheet would evaluate as a formula.
   * (downloadCsvFile)
   */
  downloadCsvFile(input: types.DownloadCsvFileInput, options?: CallOptions): Call<AlmanacFile>;

  /**
   * List workspaces. Lists all workspaces of the caller, oldest first, with the caller’s role, permissions and
   * resource scope. (listWorkspaces)
   */
  list(input?: types.ListWorkspacesInput, options?: CallOptions): Call<types.ListWorkspacesData>;

  /**
   * Create a workspace. The caller becomes the owner. The slug is derived from the name and stays the same when the
   * workspace is renamed. (createWorkspace)
   */
  create(input: types.CreateWorkspaceInput, options?: CallOptions): Call<types.WorkspaceMembership>;

  /**
   * Read a workspace. Returns the workspace with the caller’s role, permissions and resource scope. Every workspace
   * path accepts the id or the slug. (readWorkspace)
   */
  read(input: types.ReadWorkspaceInput, options?: CallOptions): Call<types.WorkspaceMembership>;

  /**
   * Update a workspace. Changes the name or `member_credits`, the credits that each member other than the owner can
   * use in this workspace in a calendar month (UTC). Null removes this limit. Omitted fields stay unchanged.
   * (renameWorkspace)
   */
  rename(input: types.RenameWorkspaceInput, options?: CallOptions): Call<types.WorkspaceMembership>;

  /**
   * Delete a workspace. Only the owner can delete a workspace. Its files, forecasts, memberships and invitations
   * are deleted with it. Queued and running forecasts are canceled first and cost no credits. The personal
   * workspace cannot be deleted. (deleteWorkspace)
   */
  delete(input: types.DeleteWorkspaceInput, options?: CallOptions): Call<types.DeleteWorkspaceData>;

  /**
   * Count what is in a workspace. Returns how many files, forecasts, event forecasts, members and invitations are
   * deleted with the workspace, and how much it stores. Only the owner can read it. (readWorkspaceContents)
   */
  readContents(input: types.ReadWorkspaceContentsInput, options?: CallOptions): Call<types.WorkspaceContents>;

  /**
   * Offer a workspace to a member. Only the owner can transfer a workspace. The member gets an invitation and an
   * email, and nothing changes until the member accepts. Then the member is the owner, and the previous owner
   * becomes an editor with access to everything. The invitation expires after 14 days. Another transfer replaces
   * one that is still open. The personal workspace cannot be transferred. (transferWorkspace)
   */
  transfer(input: types.TransferWorkspaceInput, options?: CallOptions): Call<types.OfferedWorkspace>;

  /** Read the open transfer. Only the owner can read the open transfer of a workspace. (readTransfer) */
  readTransfer(input: types.ReadTransferInput, options?: CallOptions): Call<types.PendingTransfer>;

  /**
   * Withdraw the open transfer. Only the owner can withdraw a transfer. The member can no longer accept it.
   * (withdrawTransfer)
   */
  withdrawTransfer(input: types.WithdrawTransferInput, options?: CallOptions): Call<types.WithdrawTransferData>;

  /** List members and open invitations. (listCollaborators) */
  listCollaborators(input: types.ListCollaboratorsInput, options?: CallOptions): Call<types.ListCollaboratorsData>;

  /**
   * Invite a collaborator by email address. The address gets an invitation by email and becomes a member by
   * accepting it, with the link in the email or with `POST /v1/me/invitations/{invitation_id}/accept`. The response
   * is the same whether or not the address has an account. The invitation expires after 14 days. Without
   * `resource_scope`, the collaborator can reach everything in the workspace. (addCollaborator)
   */
  addCollaborator(input: types.AddCollaboratorInput, options?: CallOptions): Call<types.Collaborator>;

  /**
   * Update a collaborator. Changes the role or the resource scope of a member or an invitation. Omitted fields stay
   * unchanged, including those of the resource scope. The change applies from the next request on.
   * (updateCollaborator)
   */
  updateCollaborator(input: types.UpdateCollaboratorInput, options?: CallOptions): Call<types.Collaborator>;

  /**
   * Remove a collaborator. Removes a member or withdraws an invitation. The change applies from the next request
   * on. The account and its keys stay valid, and its forecasts and files stay in the workspace. Members can remove
   * themselves. The owner cannot be removed. (removeCollaborator)
   */
  removeCollaborator(input: types.RemoveCollaboratorInput, options?: CallOptions): Call<types.RemoveCollaboratorData>;
}

export interface EventsMethods {
  /**
   * List event forecasts. Lists the caller’s own event forecasts, those of the caller’s workspaces and public ones,
   * newest first or by deadline. (listEvents)
   */
  list(input?: types.ListEventsInput, options?: CallOptions): Pages<types.ListEventsData, types.ListEventsData['forecasts'][number]>;

  /**
   * Create an event forecast. Creates a question with a deadline and the probability that the question resolves
   * yes. The probability can be revised. The question, category, entity, deadline and resolution rule cannot be
   * changed. (createEvent)
   */
  create(input: types.CreateEventInput, options?: CallOptions): Call<types.EventForecast>;

  /** Read an event forecast. Returns the event forecast with its current revision. (readEvent) */
  read(input: types.ReadEventInput, options?: CallOptions): Call<types.EventForecast>;

  /**
   * List what the caller may do with an event forecast. Returns which of these actions the caller may take now:
   * `revise` and `resolve` (or annul). Pages use it to offer only those. The credential needs the scope
   * events:write to take one. (listEventActions)
   */
  listActions(input: types.ListEventActionsInput, options?: CallOptions): Call<types.AllowedEventActions>;

  /**
   * Read the resolution of an event forecast. Returns the outcome, the resolution rule, the evidence and the score.
   * The response is 404 while the question is pending. (readEventResolution)
   */
  readResolution(input: types.ReadEventResolutionInput, options?: CallOptions): Call<types.EventResolution>;

  /**
   * List the revisions of an event forecast. Lists all revisions, newest first. Revisions cannot be changed.
   * (listEventRevisions)
   */
  listRevisions(input: types.ListEventRevisionsInput, options?: CallOptions): Pages<types.ListEventRevisionsData, types.ListEventRevisionsData['revisions'][number]>;

  /** Revise an event forecast. Adds a revision to a pending question. Earlier revisions are kept. (reviseEvent) */
  revise(input: types.ReviseEventInput, options?: CallOptions): Call<types.EventForecast>;

  /**
   * Read the proof of a revision of an event forecast. Returns the canonical document of a revision with its
   * receipt. `content_cid` is the SHA3-256 of the document as canonical JSON (RFC 8785). `almanac proof verify
   * FILE` checks a saved response. The response is 409 for a revision that was made before revisions had proofs.
   * (readEventProof)
   */
  readProof(input: types.ReadEventProofInput, options?: CallOptions): Call<types.ProofFile>;

  /**
   * Read the history of an event forecast. Lists when the event forecast was created, revised, resolved or
   * annulled, and when the state of its rule check changed, newest first. (readEventHistory)
   */
  readHistory(input: types.ReadEventHistoryInput, options?: CallOptions): Pages<types.ReadEventHistoryData, types.ReadEventHistoryData['entries'][number]>;

  /**
   * Resolve an event forecast. An event forecast can be resolved by its creator, by the owner of its workspace and
   * by any administrator that can read it, even before the deadline. A resolution is final: a second request
   * returns 409. (resolveEvent)
   */
  resolve(input: types.ResolveEventInput, options?: CallOptions): Call<types.EventResolution>;

  /**
   * Create event forecasts from an ensemble forecast. Creates one question for each combination of threshold and
   * step, at most 100. Either all questions are created or none. The probabilities are derived from the quantiles
   * and, for prices, from past changes. The credential also needs the scope forecasts:read.
   * (createEventsFromForecast)
   */
  createFromForecast(input: types.CreateEventsFromForecastInput, options?: CallOptions): Call<types.CreateEventsFromForecastData>;

  /**
   * Preview event forecasts from an ensemble forecast. Returns the questions that the same request to create them
   * would create, with their probabilities, and stores nothing. It is refused for the same reasons.
   * (previewEventsFromForecast)
   */
  previewFromForecast(input: types.PreviewEventsFromForecastInput, options?: CallOptions): Call<types.EventPreviews>;

  /**
   * Read the scoreboard. Returns the calibration, log loss, Brier score and skill of the resolved questions that
   * the caller may read, with bootstrap intervals. A CSV file has one line for each group or question.
   * (readScoreboard)
   */
  readScoreboard(input: types.ReadScoreboardInput & { format: 'csv' }, options?: CallOptions): Call<AlmanacFile>;
  readScoreboard(input?: types.ReadScoreboardInput & { format?: 'json' | undefined }, options?: CallOptions): Call<types.Scoreboard>;
  readScoreboard(input: types.ReadScoreboardInput, options?: CallOptions): Call<types.Scoreboard | AlmanacFile>;
}

export interface ScreenerMethods {
  /**
   * List filters. Lists all filters of the account, oldest first, each with its result in the latest session.
   * (listScreenerAlerts)
   */
  list(input?: types.ListScreenerAlertsInput, options?: CallOptions): Call<types.ListScreenerAlertsData>;

  /**
   * Create a filter. An account can have at most 10 filters. The filter is evaluated after each close of the
   * exchange, beginning with the next session. If `email` is true, its matches are included in the account’s daily
   * email. (createScreenerAlert)
   */
  create(input: types.CreateScreenerAlertInput, options?: CallOptions): Call<types.CheckedScreenerAlert>;

  /** Read a filter. (readScreenerAlert) */
  read(input: types.ReadScreenerAlertInput, options?: CallOptions): Call<types.CheckedScreenerAlert>;

  /**
   * Update a filter. Omitted fields stay unchanged; `all` replaces `any`, and `any` replaces `all`. The change
   * applies from the next session on. Earlier matches are not changed. (updateScreenerAlert)
   */
  update(input: types.UpdateScreenerAlertInput, options?: CallOptions): Call<types.CheckedScreenerAlert>;

  /**
   * Delete a filter. Deletes the filter and its matches. Emails that are still queued no longer include its
   * matches. (deleteScreenerAlert)
   */
  delete(input: types.DeleteScreenerAlertInput, options?: CallOptions): Call<types.DeleteScreenerAlertData>;

  /**
   * Preview a filter. Evaluates conditions on the latest evaluated session and saves nothing. Returns the number of
   * matches and the first 200 of them. (previewScreenerAlert)
   */
  preview(input: types.PreviewScreenerAlertInput, options?: CallOptions): Call<types.PreviewScreenerAlertData>;

  /**
   * List the matches of a filter. Lists the matches of one session, sorted by symbol. Default: the latest evaluated
   * session; all pages are from the same session. `new` marks symbols that did not match in the previous session.
   * (listScreenerMatches)
   */
  listMatches(input: types.ListScreenerMatchesInput, options?: CallOptions): Pages<types.ListScreenerMatchesData, types.ListScreenerMatchesData['matches'][number]>;

  /**
   * List the sessions of a filter. Lists the sessions for which the filter was evaluated, newest first, with the
   * number of matches and of new ones. Results are kept for 100 days. (listScreenerSessions)
   */
  listSessions(input: types.ListScreenerSessionsInput, options?: CallOptions): Pages<types.ListScreenerSessionsData, types.ListScreenerSessionsData['sessions'][number]>;

  /**
   * List the fields of conditions. Lists the fields that conditions can use, and how their values are distributed
   * in the latest evaluated session over the symbols of the universe `all`. (listScreenerFields)
   */
  listFields(input?: types.ListScreenerFieldsInput, options?: CallOptions): Call<types.ListScreenerFieldsData>;

  /**
   * List emails about matches. Lists one email for each session in which a filter with emails turned on had
   * matches, newest first. Each email has a state and, if it was not sent, a reason. (listScreenerMails)
   */
  listMails(input?: types.ListScreenerMailsInput, options?: CallOptions): Pages<types.ListScreenerMailsData, types.ListScreenerMailsData['mails'][number]>;
}

export interface WebhooksMethods {
  /** List webhooks. Lists the webhooks of the account, oldest first, without their secrets. (listWebhooks) */
  list(input?: types.ListWebhooksInput, options?: CallOptions): Call<types.ListWebhooksData>;

  /**
   * Create a webhook. Creates a webhook for the events of the account: its own forecasts, events and filters.
   * Returns the webhook with its secret. Each event is sent by POST as JSON with the headers of Standard Webhooks
   * (`webhook-id`, `webhook-timestamp`, `webhook-signature`). A request that gets no 2xx status within 10 seconds
   * is repeated over three days. There can be 10 webhooks. (createWebhook)
   */
  create(input: types.CreateWebhookInput, options?: CallOptions): Call<types.WebhookWithSecret>;

  /** Read a webhook. (readWebhook) */
  read(input: types.ReadWebhookInput, options?: CallOptions): Call<types.Webhook>;

  /**
   * Update a webhook. Changes the fields that the body has. Turning a webhook on forgets its failures. Events that
   * happen while it is off are not sent later. (updateWebhook)
   */
  update(input: types.UpdateWebhookInput, options?: CallOptions): Call<types.Webhook>;

  /**
   * Delete a webhook. Takes effect immediately: no further attempt is made, and the deliveries are removed.
   * (deleteWebhook)
   */
  delete(input: types.DeleteWebhookInput, options?: CallOptions): Call<types.DeleteWebhookData>;

  /**
   * Test a webhook. Queues one attempt to send an event of the type `webhook.test`, also while the webhook is off.
   * (testWebhook)
   */
  test(input: types.TestWebhookInput, options?: CallOptions): Call<types.WebhookDelivery>;

  /**
   * Rotate the secret of a webhook. Returns a new secret. For 24 hours, requests are signed with the new and the
   * previous secret; any older secret ends immediately. (rotateWebhook)
   */
  rotate(input: types.RotateWebhookInput, options?: CallOptions): Call<types.WebhookWithSecret>;

  /**
   * List the deliveries of a webhook. Lists the deliveries of at least the last 30 days with their attempts, newest
   * first. An attempt that runs now is not listed. (listWebhookDeliveries)
   */
  listDeliveries(input: types.ListWebhookDeliveriesInput, options?: CallOptions): Pages<types.ListWebhookDeliveriesData, types.ListWebhookDeliveriesData['deliveries'][number]>;

  /**
   * Replay a delivery. Sends an event again, as a new delivery with the same event id and the same body. The
   * earlier delivery must have ended. (replayWebhookDelivery)
   */
  replayDelivery(input: types.ReplayWebhookDeliveryInput, options?: CallOptions): Call<types.WebhookDelivery>;

  /**
   * List webhooks of a workspace. Lists the webhooks of a workspace, oldest first, without their secrets. Requires
   * the permission workspace.update. (listWorkspaceWebhooks)
   */
  listWorkspaceWebhooks(input: types.ListWorkspaceWebhooksInput, options?: CallOptions): Call<types.ListWorkspaceWebhooksData>;

  /**
   * Create a webhook of a workspace. Creates a webhook for the forecasts and events of a workspace, except private
   * ones of its members. Requires the permission workspace.update. Returns the webhook with its secret. Each event
   * is sent by POST as JSON with the headers of Standard Webhooks (`webhook-id`, `webhook-timestamp`,
   * `webhook-signature`). A request that gets no 2xx status within 10 seconds is repeated over three days. There
   * can be 10 webhooks. (createWorkspaceWebhook)
   */
  createWorkspaceWebhook(input: types.CreateWorkspaceWebhookInput, options?: CallOptions): Call<types.WebhookWithSecret>;

  /** Read a webhook. (readWorkspaceWebhook) */
  readWorkspaceWebhook(input: types.ReadWorkspaceWebhookInput, options?: CallOptions): Call<types.Webhook>;

  /**
   * Update a webhook. Changes the fields that the body has. Turning a webhook on forgets its failures. Events that
   * happen while it is off are not sent later. (updateWorkspaceWebhook)
   */
  updateWorkspaceWebhook(input: types.UpdateWorkspaceWebhookInput, options?: CallOptions): Call<types.Webhook>;

  /**
   * Delete a webhook. Takes effect immediately: no further attempt is made, and the deliveries are removed.
   * (deleteWorkspaceWebhook)
   */
  deleteWorkspaceWebhook(input: types.DeleteWorkspaceWebhookInput, options?: CallOptions): Call<types.DeleteWorkspaceWebhookData>;

  /**
   * Test a webhook. Queues one attempt to send an event of the type `webhook.test`, also while the webhook is off.
   * (testWorkspaceWebhook)
   */
  testWorkspaceWebhook(input: types.TestWorkspaceWebhookInput, options?: CallOptions): Call<types.WebhookDelivery>;

  /**
   * Rotate the secret of a webhook. Returns a new secret. For 24 hours, requests are signed with the new and the
   * previous secret; any older secret ends immediately. (rotateWorkspaceWebhook)
   */
  rotateWorkspaceWebhook(input: types.RotateWorkspaceWebhookInput, options?: CallOptions): Call<types.WebhookWithSecret>;

  /**
   * List the deliveries of a webhook. Lists the deliveries of at least the last 30 days with their attempts, newest
   * first. An attempt that runs now is not listed. (listWorkspaceWebhookDeliveries)
   */
  listWorkspaceWebhookDeliveries(input: types.ListWorkspaceWebhookDeliveriesInput, options?: CallOptions): Pages<types.ListWorkspaceWebhookDeliveriesData, types.ListWorkspaceWebhookDeliveriesData['deliveries'][number]>;

  /**
   * Replay a delivery. Sends an event again, as a new delivery with the same event id and the same body. The
   * earlier delivery must have ended. (replayWorkspaceWebhookDelivery)
   */
  replayWorkspaceWebhookDelivery(input: types.ReplayWorkspaceWebhookDeliveryInput, options?: CallOptions): Call<types.WebhookDelivery>;
}

export interface AdministrationMethods {
  /**
   * List the accounts. Lists the accounts, newest first. For administrators with a verified email address; each of
   * their credentials with the scope `account:read` is enough. (listAccounts)
   */
  listAccounts(input?: types.ListAccountsInput, options?: CallOptions): Pages<types.ListAccountsData, types.ListAccountsData['users'][number]>;

  /**
   * Read an account. Returns an account with counts and sums. It never contains names, titles or contents of what
   * the account has. (readAccount)
   */
  readAccount(input: types.ReadAccountInput, options?: CallOptions): Call<types.AdministeredAccountDetails>;

  /**
   * Change the plan, administration or lock of an account. Requires a browser session of an administrator. Changes
   * apply from the next request on, and each is a security event of both accounts. Locking an account refuses all
   * its credentials and feeds, stops its emails and cancels its queued and running forecasts; unlocking it makes
   * them work again, except canceled forecasts. Administrators can neither lock nor demote themselves, so that one
   * always remains. (updateAccount)
   */
  updateAccount(input: types.UpdateAccountInput, options?: CallOptions): Call<types.AdministeredAccountDetails>;

  /**
   * Read the state of the service. Returns the state of the providers, queues, workers, stamper and database. For
   * administrators with a verified email address. (readServiceState)
   */
  readServiceState(input?: types.ReadServiceStateInput, options?: CallOptions): Call<types.ServiceState>;

  /**
   * Check the ledger. Checks that the credits and slots of all forecasts add up, as `almanac ledger check` does. It
   * reads the whole ledger and changes nothing. (checkLedger)
   */
  checkLedger(input?: types.CheckLedgerInput, options?: CallOptions): Call<types.LedgerCheck>;
}

/** The methods of all operations, by namespace. */
export interface Methods {
  readonly account: AccountMethods;
  readonly keys: KeysMethods;
  readonly sessions: SessionsMethods;
  readonly series: SeriesMethods;
  readonly market: MarketMethods;
  readonly feeds: FeedsMethods;
  readonly forecasts: ForecastsMethods;
  readonly workspaces: WorkspacesMethods;
  readonly events: EventsMethods;
  readonly screener: ScreenerMethods;
  readonly webhooks: WebhooksMethods;
  readonly administration: AdministrationMethods;
}
