"""`palimpsest webhooks`: endpoints that are told of changes, and what was sent to them."""

from typing import Annotated

import typer

from palimpsest.api.change_events import ChangeEventType
from palimpsest.api.webhooks import DeliveryState, Webhook, WebhookDelivery
from palimpsest.client import PalimpsestClient
from palimpsest.client.webhooks import NoAnswer
from services.host.options import JsonOption
from services.host.service_calls import AgentOption, UrlOption, call_services, print_json

app = typer.Typer(help="Endpoints that are told of changes.", no_args_is_help=True)

WebhookUserOption = Annotated[
    str | None, typer.Option("--user", help="Whose webhook; left out, one told of all users.")
]
WebhookIdArgument = Annotated[str, typer.Argument(help="The webhook's id, as `list` shows it.")]
WebhookTypesOption = Annotated[
    list[ChangeEventType] | None,
    typer.Option("--type", help="Only this kind of change; may be given more than once."),
]
DeliveryStatesOption = Annotated[
    list[DeliveryState] | None,
    typer.Option("--state", help="Only these; may be given more than once."),
]


@app.command()
def create(
    endpoint: Annotated[str, typer.Argument(help="The address that is sent each change.")],
    user: WebhookUserOption = None,
    agent: AgentOption = None,
    event_type: WebhookTypesOption = None,
    description: Annotated[str, typer.Option(help="Words to tell it from others.")] = "",
    url: UrlOption = None,
    *,
    content: Annotated[bool, typer.Option("--content", help="Send the words as well.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Add an endpoint that is told of changes from now on. Its secret is shown once."""
    added = call_services(
        url,
        lambda client: client.webhooks.add(
            endpoint,
            user_id=user,
            agent_id=agent,
            types=event_type,
            content=content,
            description=description,
        ),
    )
    if as_json:
        print_json(added)
        return
    typer.echo(_line(added))
    typer.echo(f"secret: {added.secret}  (not shown again)")


@app.command("list")
def list_(
    user: WebhookUserOption = None, url: UrlOption = None, *, as_json: JsonOption = False
) -> None:
    """The webhooks of a user, or those that are told of all users."""
    found = call_services(url, lambda client: client.webhooks.list(user_id=user))
    if as_json:
        print_json(found)
        return
    for webhook in found.webhooks:
        typer.echo(_line(webhook))
    if not found.webhooks:
        typer.echo("There are no such webhooks.")


@app.command()
def delete(
    webhook_id: WebhookIdArgument,
    user: WebhookUserOption = None,
    url: UrlOption = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Delete a webhook with its deliveries."""

    async def ask(client: PalimpsestClient) -> NoAnswer:
        await client.webhooks.delete(webhook_id, user_id=user)
        return NoAnswer()

    answer = call_services(url, ask)
    if as_json:
        print_json(answer)
    else:
        typer.echo("deleted")


@app.command()
def enable(
    webhook_id: WebhookIdArgument,
    user: WebhookUserOption = None,
    url: UrlOption = None,
    *,
    off: Annotated[bool, typer.Option("--off", help="Switch it off.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Switch a webhook on again, or off. On again, it is told what it missed."""
    edited = call_services(
        url, lambda client: client.webhooks.edit(webhook_id, user_id=user, enabled=not off)
    )
    if as_json:
        print_json(edited)
    else:
        typer.echo(_line(edited))


@app.command("test")
def try_out(
    webhook_id: WebhookIdArgument,
    user: WebhookUserOption = None,
    url: UrlOption = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Send one event that only tests the endpoint. Exits with 1 where it is not taken."""
    outcome = call_services(url, lambda client: client.webhooks.test(webhook_id, user_id=user))
    if as_json:
        print_json(outcome)
    else:
        answered = f" ({outcome.response_status})" if outcome.response_status else ""
        typer.echo(f"{'delivered' if outcome.delivered else outcome.failure}{answered}")
    raise typer.Exit(int(not outcome.delivered))


@app.command()
def deliveries(
    webhook_id: WebhookIdArgument,
    user: WebhookUserOption = None,
    state: DeliveryStatesOption = None,
    limit: Annotated[int, typer.Option(min=1, max=500)] = 50,
    url: UrlOption = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Show what was sent in the last thirty days and what waits, the latest first."""
    found = call_services(
        url,
        lambda client: client.webhooks.deliveries(
            webhook_id, user_id=user, state=state, limit=limit
        ),
    )
    if as_json:
        print_json(found)
        return
    for delivery in found.deliveries:
        typer.echo(_delivery_line(delivery))
    if not found.deliveries:
        typer.echo("There are no such deliveries.")


@app.command()
def replay(
    webhook_id: WebhookIdArgument,
    delivery_ids: Annotated[
        list[str] | None, typer.Argument(help="These; otherwise all that failed.")
    ] = None,
    user: WebhookUserOption = None,
    url: UrlOption = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Send deliveries again, or all that failed, under the same ids."""
    result = call_services(
        url,
        lambda client: client.webhooks.replay(webhook_id, delivery_ids or (), user_id=user),
    )
    if as_json:
        print_json(result)
    else:
        typer.echo(f"{result.replayed} sent again")


def _line(webhook: Webhook) -> str:
    state = "on" if webhook.enabled else f"off: {webhook.disabled_reason}"
    if webhook.enabled and webhook.failing_since is not None:
        state = f"failing since {webhook.failing_since:%Y-%m-%d %H:%M}"
    return f"{webhook.id}  [{state}]  {webhook.url}  {webhook.description}".rstrip()


def _delivery_line(delivery: WebhookDelivery) -> str:
    state = str(delivery.state)
    if delivery.failure is not None:
        status = f" {delivery.response_status}" if delivery.response_status else ""
        state += f", {delivery.failure}{status} at try {delivery.attempts}"
    if delivery.state is DeliveryState.PENDING:
        state += f", due {delivery.due_at:%Y-%m-%d %H:%M:%S}"
    return f"{delivery.id}  [{state}]  {delivery.type}  {delivery.changed.id or 'everything'}"
