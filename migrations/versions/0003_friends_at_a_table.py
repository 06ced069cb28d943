"""clocks, spectators, seats with names and links of their own, chat, push, the house's own facts"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_KINDS = "'start', 'move', 'undo', 'concede', 'end', 'seat'"


def upgrade() -> None:
    op.add_column("rooms", sa.Column("clock_seconds", sa.Integer(), nullable=True))
    op.add_column(
        "rooms", sa.Column("watching", sa.Boolean(), server_default=sa.true(), nullable=False)
    )
    op.add_column(
        "rooms",
        sa.Column("watchers_chat", sa.Boolean(), server_default=sa.false(), nullable=False),
    )
    op.create_check_constraint(op.f("ck_rooms_clock"), "rooms", "clock_seconds > 0")
    op.add_column("room_seats", sa.Column("name", sa.String(), nullable=True))
    op.add_column("room_seats", sa.Column("reopened_hash", sa.LargeBinary(), nullable=True))
    op.drop_constraint(op.f("ck_journal_kind"), "journal")
    op.create_check_constraint(op.f("ck_journal_kind"), "journal", f"kind in ({_KINDS}, 'wait')")
    op.create_table(
        "chat",
        sa.Column("room_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("player_id", sa.Uuid(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("kind in ('text', 'reaction')", name=op.f("ck_chat_kind")),
        sa.PrimaryKeyConstraint("room_id", "id", name=op.f("pk_chat")),
    )
    op.create_table(
        "push_subscriptions",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("player_id", sa.Uuid(), nullable=False),
        sa.Column("endpoint", sa.String(), nullable=False),
        sa.Column("p256dh", sa.String(), nullable=False),
        sa.Column("auth", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_push_subscriptions")),
        sa.UniqueConstraint("endpoint", name=op.f("uq_push_subscriptions_endpoint")),
    )
    op.create_index(op.f("ix_push_subscriptions_player_id"), "push_subscriptions", ["player_id"])
    op.create_table(
        "house",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_house")),
    )
    op.create_table(
        "announcements",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_announcements")),
    )
    op.create_table(
        "processes",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("host", sa.String(), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("sockets", sa.Integer(), nullable=False),
        sa.Column("tables", sa.Integer(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_processes")),
    )


def downgrade() -> None:
    for table in ("processes", "announcements", "house", "push_subscriptions", "chat"):
        op.drop_table(table)
    op.drop_constraint(op.f("ck_journal_kind"), "journal")
    op.create_check_constraint(op.f("ck_journal_kind"), "journal", f"kind in ({_KINDS})")
    op.drop_column("room_seats", "reopened_hash")
    op.drop_column("room_seats", "name")
    op.drop_constraint(op.f("ck_rooms_clock"), "rooms")
    op.drop_column("rooms", "watchers_chat")
    op.drop_column("rooms", "watching")
    op.drop_column("rooms", "clock_seconds")
